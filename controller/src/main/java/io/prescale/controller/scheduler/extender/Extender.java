package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.scheduler.bookings.BookingFeed;
import io.prescale.controller.scheduler.bookings.Bookings;
import io.prescale.controller.scheduler.claims.ClaimPlanner;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.controller.scheduler.facts.GroupFacts;
import io.prescale.controller.scheduler.facts.NodeAdmission;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.moves.MoveExecutor;
import io.prescale.controller.scheduler.objects.KoordinatorFeed;
import io.prescale.controller.scheduler.objects.PodGroupFeed;
import io.prescale.controller.scheduler.objects.TopologyFeed;
import io.prescale.controller.scheduler.queues.ForeignQueueFeed;
import io.prescale.controller.scheduler.queues.QueueFeed;
import io.prescale.controller.scheduler.queues.QueueRows;
import io.prescale.controller.scheduler.queues.QuotaMarks;
import io.prescale.controller.scheduler.reclaim.BookingState;
import io.prescale.controller.scheduler.reclaim.ReclaimExecutor;
import io.prescale.controller.scheduler.warm.WarmExecutor;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.ledger.HandOvers;
import io.prescale.placement.ledger.Ledger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** A scheduler extender that watches a cluster and answers its kube-scheduler. */
public final class Extender implements AutoCloseable {
  static final String NOT_READY = "nodes or pods are not being watched, or another replica answers";

  private static final Duration UPKEEP = Duration.ofSeconds(5);
  private static final Duration WAKE = Duration.ofMillis(250);

  private final KubernetesClient client;
  private final ExtenderSettings settings;
  private final InstantSource clock;
  private final Ledger ledger;
  private final NodeLocks locks;
  private final Committer committer;
  private final CurrentWatches current;
  private final ClusterFeed feed;
  private final ClaimLedger claims = new ClaimLedger();
  private final Memberships memberships = new Memberships();
  private final NodeAdmission nodes = new NodeAdmission();
  private final Bookings bookings;
  private final MoveExecutor moves;
  private final WarmExecutor warm;
  private final QuotaMarks quota;
  private final Optional<Exporters> exporters;
  private final Election election;
  private final Waker waker;
  private final ExtenderProblems problems;
  private final ProblemEvents events;
  private final ExtenderAnswers answers;
  private final LongSupplier nanoTime;
  private final Rounds rounds;
  private volatile Optional<Watches> watches = Optional.empty();
  private volatile boolean compared;

  /**
   * An extender that has not started.
   *
   * @param exporters whose Prometheus is closed with the extender
   * @param nanoTime a clock that never goes back, as {@link System#nanoTime}
   */
  public Extender(
      KubernetesClient client,
      ExtenderSettings settings,
      Optional<Exporters> exporters,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.client = client;
    this.settings = settings;
    this.exporters = exporters;
    this.clock = clock;
    this.nanoTime = nanoTime;
    rounds = new Rounds(clock);
    ledger =
        new Ledger(ExtenderSettings.MOST_CANDIDATES, settings.levels().orElse(NetworkLabels.KNOWN));
    bookings = new Bookings(settings.queues(), nodes);
    var usage =
        new UsageMetrics(
            () -> Stream.concat(ledger.uses().stream(), claims.uses().stream()).toList(),
            this::readings,
            memberships::of);
    var metrics =
        new ExtenderMetrics(ledger, claims, usage, this::booked, this::isAnswering, clock);
    moves =
        new MoveExecutor(
            client, ledger, clock, settings.moves(), metrics.moves(), nodes::restricted);
    warm =
        new WarmExecutor(
            client, ledger, clock, settings.warm(), metrics.warm(), bookings::warm, this::booked);
    quota = new QuotaMarks(new PodWriter(client), ledger);
    locks = new NodeLocks(client, ledger, clock);
    var handOvers = new HandOvers(nanoTime, settings.longestHandOver());
    committer =
        new Committer(
            ledger,
            handOvers,
            locks,
            new ClusterBinder(client, this::isAnswering),
            clock,
            settings.patience(),
            (pod, node) -> quota.with(pod.uid(), warm.marks(pod, node)));
    current = new CurrentWatches(clock);
    feed =
        new ClusterFeed(
            client, ledger, settings.queues(), handOvers, locks, committer, this::acts, current);
    waker = new Waker(client, ledger, clock);
    problems =
        new ExtenderProblems(
            ledger, claims, () -> watches.map(Watches::faults).orElse(Map.of()), current::outdated);
    events = new ProblemEvents(client, clock);
    election = new Election(client, settings.lease(), nanoTime, () -> current.fault().isEmpty());
    var preempt =
        new PreemptVerb(
            ledger,
            () -> watches.map(Watches::giving).orElse(Set.of()),
            DisruptionBudgets.Source.in(client, clock));
    answers =
        new ExtenderAnswers(
            new ExtenderApi(
                ledger, committer, settings.queues(), clock, preempt, settings.candidates()),
            metrics,
            this::whyNotReady,
            problems::all,
            new CardPages(
                ledger,
                this::readings,
                memberships::of,
                () -> watches.map(Watches::rows).orElse(QueueRows.NONE),
                moves::shown));
  }

  /** For the endpoints. */
  public ExtenderAnswers answers() {
    return answers;
  }

  /** What is missing before it answers; empty when it does. */
  public Optional<String> whyNotReady() {
    return isAnswering() ? Optional.empty() : current.fault().or(() -> Optional.of(NOT_READY));
  }

  /** Begins to watch; it answers when everything has been seen once. */
  public void start() {
    boolean isOurs = settings.queues() == QueueSource.PRESCALE;
    var queues = isOurs ? QueueFeed.start(client, ledger, current) : Optional.<QueueFeed>empty();
    var booked = BookingFeed.start(client, bookings, current);
    var reclaim = reclaim(queues.filter(_ -> ReclaimExecutor.isEnabled()), booked.isPresent());
    KoordinatorFeed.start(client, ledger, current);
    PodGroupFeed.start(client, ledger, current);
    TopologyFeed.start(client, ledger, settings.levels(), feed.nodes(), current);
    watches =
        Optional.of(
            new Watches(
                queues,
                ForeignQueueFeed.start(client, settings.queues(), ledger, current),
                booked,
                reclaim,
                settings.claims()
                    ? Optional.of(
                        ClaimPlanner.start(
                            client,
                            feed.nodes(),
                            feed.pods(),
                            GroupFacts::of,
                            claims,
                            clock,
                            () -> isComplete() && election.acts() && compared,
                            current))
                    : Optional.empty(),
                exporters.map(
                    asked -> CardWatch.start(asked, clock, CardWatch.INTERVAL, this::conditions))));
    feed.nodes().addEventHandler(new ObjectEvents<>(nodes::seen, nodes::gone));
    feed.pods().addEventHandler(new ObjectEvents<>(memberships::seen, memberships::gone));
    feed.pods().addEventHandler(new ObjectEvents<>(moves::seen, moves::gone));
    feed.pods().addEventHandler(new ObjectEvents<>(warm::seen, warm::gone));
    feed.pods().addEventHandler(new ObjectEvents<>(quota::seen, quota::gone));
    feed.start();
    election.start(rounds);
    rounds.every("keeps its state", UPKEEP, this::upkeep);
    rounds.every("wakes pods", WAKE, this::acts, waker::wake);
    reclaim.ifPresent(
        it -> {
          var round = new PromptRound(() -> it.round(this::acts), ledger::refusalsOwed, nanoTime);
          rounds.every("takes cards back", PromptRound.LOOK, this::acts, round);
        });
    exporters.ifPresent(asked -> settings.overcommit().ifPresent(it -> overcommit(asked, it)));
    rounds.every("moves pods", Duration.ofSeconds(1), this::acts, () -> moves.round(this::acts));
    rounds.every("pulls images", UPKEEP, () -> warm.round(this::acts));
  }

  /** Also where nothing may be taken back: then only free cards are kept for bookings. */
  private Optional<ReclaimExecutor> reclaim(Optional<QueueFeed> taking, boolean areBooked) {
    if (taking.isEmpty() && !areBooked) {
      return Optional.empty();
    }
    var executor =
        new ReclaimExecutor(
            client,
            ledger,
            clock,
            answers.metrics().reclaim(),
            settings.webhook(),
            () -> taking.map(QueueFeed::policies).orElse(Map.of()),
            bookings::current);
    feed.pods().addEventHandler(new ObjectEvents<>(executor::seen, executor::gone));
    return Optional.of(executor);
  }

  private void overcommit(Exporters asked, MemoryOvercommit how) {
    var watch =
        new MemoryWatch(
            asked, clock, how.window(), observed -> ledger.memory(how.risk(), observed));
    rounds.every("reads memory in use", watch.pause(), watch::round);
  }

  private void conditions(Map<String, CardReading> now) {
    ledger.conditions(now);
    claims.conditions(now);
  }

  private Map<String, BookingState> booked() {
    return watches.flatMap(Watches::reclaim).map(ReclaimExecutor::booked).orElse(Map.of());
  }

  private Map<String, CardReading> readings() {
    return watches.flatMap(Watches::cards).map(CardWatch::readings).orElse(Map.of());
  }

  /** One replica answers; the others are not ready, so that their Service leads to the one. */
  private boolean isAnswering() {
    return isComplete() && election.answers();
  }

  /** One replica does what kube-scheduler does not ask for. */
  private boolean acts() {
    return election.acts() && isAnswering();
  }

  /** Whether everything was seen once, and the watches are current. */
  private boolean isComplete() {
    var fault = current.fault(); // always, because each watch is due for a look
    return feed.isCurrent(election.acts()) && watches.isPresent() && fault.isEmpty();
  }

  private void upkeep() {
    if (current.fault().isPresent()) {
      election.resign(); // another replica may fare better
    }
    if (isComplete()) {
      // A card that is both registered and published for claims is given out in one way only.
      claims.registered(ledger.nodesOfCards());
      compared = true;
      ledger.observeRequests(clock.instant());
    }
    if (isAnswering()) {
      committer.resolveUnknown();
      locks.clearDead();
    }
    if (acts()) {
      events.report(problems.ofNodes());
      watches.ifPresent(it -> it.report(warm.reports(), clock.instant()));
      answers.cards().remember(clock.instant());
      quota.round(clock.instant());
    }
  }

  @Override
  public void close() {
    rounds.close();
    election.close();
    current.close();
    watches.ifPresent(Watches::close);
    exporters.ifPresent(it -> it.prometheus().close());
  }
}
