package io.prescale.controller.operator;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.HandedOver;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.Learning;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.hpa.Contest;
import io.prescale.controller.operator.hpa.ReplicaContest;
import io.prescale.controller.states.SavedTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What the leader keeps of one PredictiveHPA between ticks: its cycle with the forecasters, the
 * histories that are still being read, and when the next tick is due. Not thread-safe; one
 * reconciliation at a time.
 */
final class LiveTarget {
  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);
  private static final Duration LEAVES_ROOM_AFTER = Duration.ofMinutes(10);
  private static final Reading NOT_COUNTED = new Reading.Observed(List.of());

  /** The longest that a decision waits for the number of series. */
  private static final Duration COUNTING = Duration.ofSeconds(10);

  private final TargetSettings settings;
  private Queries queries;
  private final MetricSource source;
  private final ScalingCycle cycle;
  private final HistoryRequests<String> histories;
  private final LeadingReads leading;
  private final Map<String, Instant> savedAsOf = new LinkedHashMap<>();
  private final LeadTimes leadTimes;
  private final Contest contest = new Contest();
  private final ReplicaContest replicaContest = new ReplicaContest();
  private final WaitingStatus status = new WaitingStatus();
  private final Supplier<Duration> offset;
  private Instant nextTick;
  private Optional<Explanation> newest = Optional.empty();

  /**
   * A target that goes on from what was saved. Of a metric without a usable state it begins to read
   * the history, and its first tick decides by the step that is over.
   *
   * @param saved what an earlier leader knew
   * @param learning how its forecasters come by their models
   * @param offset after the end of a step at which to tick, so that not all targets do at once
   */
  LiveTarget(
      TargetSettings settings,
      Queries queries,
      Optional<SavedTarget> saved,
      MetricSource source,
      Learning learning,
      LeadTimes leadTimes,
      Supplier<Duration> offset,
      Instant now) {
    this.settings = settings;
    this.queries = queries;
    this.source = source;
    this.leadTimes = leadTimes;
    this.offset = offset;
    var forecast = settings.forecast();
    this.histories = new HistoryRequests<>(source, forecast);
    this.leading = new LeadingReads(queries.leading(), source, forecast, now);
    var over = forecast.stepBegin(now).minus(forecast.step());
    this.cycle =
        new ScalingCycle(settings, leadTime(1), over, learning.following(leading.series()));
    this.nextTick = now;
    queries
        .demands()
        .forEach(
            (metric, query) -> {
              if (!resumed(metric, saved, now)) {
                histories.request(metric, query, now);
              }
            });
    leading.requestHistories(now);
    savedAsOf.putAll(learned());
  }

  private boolean resumed(String metric, Optional<SavedTarget> saved, Instant now) {
    long query = queries.demand(metric).fingerprint();
    return saved
        .map(it -> it.metrics().get(metric))
        .filter(it -> it.query() == query)
        .filter(it -> cycle.resume(metric, it.state(), now).isEmpty())
        .isPresent();
  }

  /** Until when each metric has been learned. */
  private Map<String, Instant> learned() {
    var learned = new LinkedHashMap<String, Instant>();
    queries.demands().keySet().stream()
        .filter(it -> !histories.isWaitedFor(it)) // the next leader asks for the history too
        .forEach(it -> cycle.learnedAt(it).ifPresent(at -> learned.put(it, at)));
    return learned;
  }

  /** What another process would go on from, if there was a fit since it was last given. */
  Optional<SavedTarget> unsaved(Instant now) {
    var learned = learned();
    if (learned.equals(savedAsOf)) {
      return Optional.empty();
    }
    savedAsOf.clear();
    savedAsOf.putAll(learned);
    return Optional.of(saved(now));
  }

  /** What another process, or a target with other settings, would go on from. */
  SavedTarget saved(Instant now) {
    var metrics = new LinkedHashMap<String, SavedTarget.Metric>();
    learned()
        .keySet()
        .forEach(
            name -> {
              long query = queries.demand(name).fingerprint();
              cycle
                  .save(name)
                  .ifPresent(it -> metrics.put(name, new SavedTarget.Metric(query, it)));
            });
    return new SavedTarget(queries.namespace(), now, metrics);
  }

  /** Whether its forecasters and lead time are those of a resource with these settings. */
  boolean isFor(PredictiveHPA resource, TargetSettings otherSettings, Queries otherQueries) {
    return settings.equals(otherSettings) && asks(otherQueries) && leadTimes.areOf(resource);
  }

  /** Whether its demand is that of these queries. */
  boolean asks(Queries otherQueries) {
    return queries.haveSameAnswersAs(otherQueries);
  }

  /** Lets what an earlier leader served stand; see {@link HandedOver}. */
  void takeOver(Map<String, HandedOver> served) {
    served.forEach(cycle::takeOver);
  }

  /** Goes on with what was started before an edit that left the queries as they are. */
  void goOnFrom(LiveTarget before, PredictiveHPA edited) {
    cycle.goOnFrom(before.cycle);
    status.goOnFrom(before.status);
    takeOver(EarlierLeader.servedBeforeAnEdit(edited));
  }

  LeadTimes leadTimes() {
    return leadTimes;
  }

  /** Uses these queries from now on, whose credentials may be others. */
  void use(Queries sameQueries) {
    queries = sameQueries;
    leading.use(sameQueries.leading());
  }

  /** Whether it was left for so long that it knows too little, or leaves its room to others. */
  boolean isForgotten(boolean isRoomNeeded, Instant now) {
    return nextTick.plus(isRoomNeeded ? LEAVES_ROOM_AFTER : FORGOTTEN_AFTER).isBefore(now);
  }

  /** Whether ticks are overdue, as while another replica leads. */
  boolean wasLeft(Instant now) {
    return nextTick.plus(settings.forecast().step().multipliedBy(2)).isBefore(now);
  }

  /** The rules of the HPA that it decides for. */
  HpaRules rules() {
    return settings.hpa();
  }

  Contest contest() {
    return contest;
  }

  ReplicaContest replicaContest() {
    return replicaContest;
  }

  WaitingStatus status() {
    return status;
  }

  ScalingCycle cycle() {
    return cycle;
  }

  Duration step() {
    return settings.forecast().step();
  }

  boolean isDue(Instant now) {
    return !now.isBefore(nextTick);
  }

  Duration untilNext(Instant now) {
    return Duration.between(now, nextTick);
  }

  /** Reads of all metrics at once what is new; takes in histories that have arrived. */
  Map<String, Reading> read(Instant now) {
    histories.arrived(queries::demand, now, cycle::learn);
    var requests = new LinkedHashMap<String, CompletableFuture<Reading>>();
    queries
        .demands()
        .forEach(
            (metric, query) ->
                requests.put(metric, source.read(query, cycle.observedUntil(metric), now)));
    var readings = new LinkedHashMap<String, Reading>();
    requests.forEach((metric, request) -> readings.put(metric, request.join()));
    leading.read(now); // after the demands, which it must not delay
    var counts = new LinkedHashMap<String, CompletableFuture<Reading>>();
    readings.forEach(
        (metric, reading) ->
            count(metric, reading, now).ifPresent(request -> counts.put(metric, request)));
    counts.forEach(
        (metric, request) -> readings.computeIfPresent(metric, (_, it) -> with(request, it)));
    return readings;
  }

  /** The first leading series that has been unknown for minutes, and why. */
  Optional<String> leadingMissing(Instant now) {
    return leading.missing(now);
  }

  /** Asks for the number of series behind a metric, if that is needed and can be asked. */
  private Optional<CompletableFuture<Reading>> count(String metric, Reading reading, Instant now) {
    if (!(reading instanceof Reading.Observed observed)) {
      return Optional.empty();
    }
    return cycle
        .seriesNeededSince(metric, observed, now)
        .flatMap(
            since ->
                queries
                    .countingSeries(metric)
                    .map(query -> source.read(query, since.minusMillis(1), now)))
        .map(answer -> answer.copy().completeOnTimeout(NOT_COUNTED, COUNTING.toSeconds(), SECONDS));
  }

  private static Reading with(CompletableFuture<Reading> count, Reading reading) {
    return reading instanceof Reading.Observed(var samples, _)
            && count.join() instanceof Reading.Observed(var series, _)
        ? new Reading.Observed(samples, series)
        : reading;
  }

  /** The lead time, by the scale-ups that the pods show. */
  LeadTime learnLeadTime(List<Pod> pods, int wantedReplicas, Instant now) {
    leadTimes.observe(pods, wantedReplicas, now);
    return leadTime(wantedReplicas);
  }

  private LeadTime leadTime(int replicas) {
    return leadTimes.estimate(settings.hpa(), replicas, settings.forecast().step());
  }

  /**
   * Remembers a decision, and when the next one is due.
   *
   * @param state by which it was made
   */
  void decided(CycleResult result, ReplicaState state, Instant now) {
    leadTimes.decided(result, state, settings, now);
    var forecast = settings.forecast();
    nextTick = TickTimes.next(now, forecast.stepBegin(now), forecast.step(), offset.get());
    newest = result.explanation();
  }

  /** The decision of the last tick, if it made one, with what the HPA has made of it by now. */
  Optional<Explanation> look(Optional<HpaState> hpa) {
    newest = newest.map(decision -> decision.seenBy(settings.hpa(), hpa));
    return newest;
  }
}
