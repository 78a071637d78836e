package io.prescale.controller.extender;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.kubernetes.ApiFailure;
import io.prescale.controller.kubernetes.Leadership;
import io.prescale.controller.placement.HandOvers;
import io.prescale.controller.placement.Ledger;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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
  private final ExtenderServer server;
  private final Optional<Leadership> leadership;
  private final Waker waker;
  private final ProblemEvents problems;
  private final ScheduledExecutorService upkeep =
      Executors.newScheduledThreadPool(
          2, Thread.ofPlatform().name("extender-upkeep-", 0).daemon().factory());

  private Extender(
      KubernetesClient client,
      ExtenderSettings settings,
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
    problems = new ProblemEvents(client, clock);
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
    server = ExtenderServer.start(settings, api, ledger, this::answers, nanoTime);
    feed.start();
    leadership.ifPresent(Leadership::start);
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
    return feed.isComplete() && leadership.map(Leadership::leads).orElse(true);
  }

  /**
   * Begins to watch and to answer; questions are answered when everything was seen once.
   *
   * @param nanoTime a clock that never goes back, as {@link System#nanoTime}
   * @throws IOException if the port is taken
   */
  public static Extender start(
      KubernetesClient client,
      ExtenderSettings settings,
      InstantSource clock,
      LongSupplier nanoTime)
      throws IOException {
    var extender = new Extender(client, settings, clock, nanoTime);
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
      if (answers()) {
        committer.lookUpUnknown();
        locks.clearDead();
        problems.tell(ledger.problems());
      }
    } catch (KubernetesClientException e) {
      LOG.warn("Locks and bindings were not looked after: {}", ApiFailure.text(e));
    } catch (RuntimeException e) {
      LOG.error("The upkeep failed and is tried again.", e);
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
    feed.close();
  }
}
