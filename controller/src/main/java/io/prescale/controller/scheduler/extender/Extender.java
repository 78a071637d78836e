package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.Leadership;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.scheduler.claims.ClaimPlanner;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.ledger.HandOvers;
import io.prescale.placement.ledger.Ledger;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A scheduler extender that watches a cluster and answers its kube-scheduler. */
public final class Extender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Extender.class);
  private static final int UPKEEP_SECONDS = 5;
  private static final int WAKE_MILLIS = 250;

  private final Ledger ledger;
  private final NodeLocks locks;
  private final Committer committer;
  private final ClusterFeed feed;
  private final ClaimLedger claims = new ClaimLedger();
  private final Optional<ClaimPlanner> planner;
  private final Optional<SharedIndexInformer<GenericKubernetesResource>> koordinator;
  private final Optional<SharedIndexInformer<GenericKubernetesResource>> podGroups;
  private volatile boolean compared;
  private final Memberships memberships = new Memberships();
  private final Optional<CardWatch> cards;
  private final ExtenderServer server;
  private final Optional<Leadership> leadership;
  private final Waker waker;
  private final ProblemEvents events;
  private final ScheduledExecutorService upkeep =
      Executors.newScheduledThreadPool(
          2, Thread.ofPlatform().name("extender-upkeep-", 0).daemon().factory());

  private Extender(
      KubernetesClient client,
      ExtenderSettings settings,
      Optional<PrometheusClient> prometheus,
      InstantSource clock,
      LongSupplier nanoTime)
      throws IOException {
    ledger = new Ledger(settings.candidates());
    locks = new NodeLocks(client, ledger, clock);
    var handOvers = new HandOvers(nanoTime, settings.longestHandOver());
    committer =
        new Committer(
            ledger, handOvers, locks, new ClusterBinder(client), clock, settings.patience());
    feed = new ClusterFeed(client, ledger, handOvers, locks, committer, this::answers);
    waker = new Waker(client, ledger, clock);
    events = new ProblemEvents(client, clock);
    var api = new ExtenderApi(ledger, committer, clock);
    leadership =
        settings
            .lease()
            .map(
                lease ->
                    new Leadership(
                        client,
                        lease.namespace(),
                        lease.name(),
                        lease.identity(),
                        nanoTime,
                        new Watching()));
    koordinator = KoordinatorFeed.start(client, ledger);
    podGroups = PodGroupFeed.start(client, ledger);
    planner =
        settings.claims()
            ? Optional.of(
                ClaimPlanner.start(
                    client, feed.nodes(), feed.pods(), claims, clock, () -> leads() && compared))
            : Optional.empty();
    feed.pods().addEventHandler(memberships);
    cards =
        prometheus.map(
            asked -> CardWatch.start(asked, clock, CardWatch.INTERVAL, this::conditions));
    var metrics = new ExtenderMetrics(ledger, claims, usage());
    var pages =
        new StatusPages(
            this::problems,
            this::answers,
            metrics,
            new CardPages(ledger, this::readings, memberships::of));
    server = ExtenderServer.start(settings, api, metrics, pages, this::answers, nanoTime);
    feed.start();
    leadership.ifPresent(Leadership::start);
  }

  private void conditions(Map<String, CardReading> now) {
    ledger.conditions(now);
    claims.conditions(now);
  }

  private UsageMetrics usage() {
    return new UsageMetrics(
        () -> Stream.concat(ledger.uses().stream(), claims.uses().stream()).toList(),
        this::readings,
        memberships::of);
  }

  private Map<String, CardReading> readings() {
    return cards.map(CardWatch::readings).orElse(Map.of());
  }

  private Map<String, List<String>> problemsOfNodes() {
    var all = new TreeMap<>(ledger.problems());
    claims.problems().forEach((node, sentences) -> all.merge(node, sentences, Extender::both));
    return all;
  }

  /** Those of nodes, and of pods that wait for their claim. */
  private Map<String, List<String>> problems() {
    var all = problemsOfNodes();
    claims.waiting().forEach((pod, sentence) -> all.put(pod, List.of(sentence)));
    return all;
  }

  private static List<String> both(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  /** Every replica watches all the time, so there is nothing to begin or to end. */
  private static final class Watching implements Leadership.Term {
    @Override
    public void begin() {
      LOG.info("This replica answers.");
    }

    @Override
    public void end() {
      LOG.info("Another replica answers.");
    }
  }

  /** One replica answers; the others are not ready, so that their Service leads to the one. */
  private boolean answers() {
    return leads() && planner.map(ClaimPlanner::isComplete).orElse(true);
  }

  private boolean leads() {
    return isComplete() && leadership.map(Leadership::leads).orElse(true);
  }

  /** Whether everything was seen once that is registered and placed. */
  private boolean isComplete() {
    return feed.isComplete()
        && koordinator.map(SharedIndexInformer::hasSynced).orElse(true)
        && podGroups.map(SharedIndexInformer::hasSynced).orElse(true);
  }

  /**
   * Begins to watch and to answer; questions are answered when everything was seen once.
   *
   * @param prometheus that knows what dcgm-exporter says of the cards; closed with the extender
   * @param nanoTime a clock that never goes back, as {@link System#nanoTime}
   * @throws IOException if the port is taken
   */
  public static Extender start(
      KubernetesClient client,
      ExtenderSettings settings,
      Optional<PrometheusClient> prometheus,
      InstantSource clock,
      LongSupplier nanoTime)
      throws IOException {
    var extender = new Extender(client, settings, prometheus, clock, nanoTime);
    var _ =
        extender.upkeep.scheduleWithFixedDelay(
            extender::upkeep, UPKEEP_SECONDS, UPKEEP_SECONDS, TimeUnit.SECONDS);
    var _ =
        extender.upkeep.scheduleWithFixedDelay(
            extender::wake, WAKE_MILLIS, WAKE_MILLIS, TimeUnit.MILLISECONDS);
    return extender;
  }

  /** The port that it listens on. */
  public int port() {
    return server.port();
  }

  private void upkeep() {
    try {
      compare();
      if (answers()) {
        committer.resolveUnknown();
        locks.clearDead();
        events.report(problemsOfNodes());
      }
    } catch (KubernetesClientException e) {
      LOG.warn("Locks and bindings were not looked after: {}", ApiFailure.text(e));
    } catch (RuntimeException e) {
      LOG.error("The upkeep failed and is tried again.", e);
    }
  }

  /** A card that is both registered and published for claims is given out in one way only. */
  private void compare() {
    if (isComplete()) {
      claims.registered(ledger.nodesOfCards());
      compared = true;
    }
  }

  private void wake() {
    try {
      if (answers()) {
        waker.wake();
      }
    } catch (RuntimeException e) {
      LOG.error("Pods were not woken; it is tried again.", e);
    }
  }

  @Override
  public void close() {
    upkeep.shutdownNow();
    server.close();
    leadership.ifPresent(Leadership::close);
    cards.ifPresent(CardWatch::close);
    koordinator.ifPresent(SharedIndexInformer::stop);
    podGroups.ifPresent(SharedIndexInformer::stop);
    planner.ifPresent(ClaimPlanner::close);
    feed.close();
  }
}
