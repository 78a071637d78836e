package io.prescale.controller.web.live;

import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.Trust;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.HpaSimulation;
import io.prescale.controller.simulation.replay.Reactive;
import io.prescale.controller.web.MarkLog;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The minutes of one PredictiveHPA from its statuses, beside a simulated plain HPA with a target of
 * 80 % on the same demand. Not thread-safe.
 */
final class WatchedWorkload {
  private static final int SYNCS_A_MINUTE = 4;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** How often each of three thousand workloads has a status; after this time nothing is known. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Duration LONGEST_FOR_NODE = Duration.ofMinutes(10);

  /** What an HPA says of a target that was scaled to 0, by KEDA each night. */
  private static final String AT_ZERO = " says ScalingDisabled:";

  private final ArrayDeque<WatchedMinute> minutes = new ArrayDeque<>();
  private final MarkLog marks = new MarkLog();
  private PredictiveHPA newest;
  private @Nullable HpaSimulation reactive;
  private @Nullable Instant fullSince;

  WatchedWorkload(PredictiveHPA resource) {
    this.newest = resource;
  }

  /**
   * Takes in a new status; the last one of a minute represents it.
   *
   * @param most maximum number of minutes to keep
   */
  void observe(PredictiveHPA resource, int most) {
    newest = resource;
    mark(resource.getStatus());
    DecisionFromStatus.of(resource).ifPresent(this::decided);
    while (minutes.size() > most) {
      minutes.removeFirst();
    }
  }

  private void mark(@Nullable PredictiveHPAStatus status) {
    if (status == null) {
      return;
    }
    status.conditions().stream().filter(WatchedWorkload::isIncident).forEach(this::mark);
    var rollout = status.rollout();
    if (rollout != null && rollout.at() != null) {
      marks.deployed(rollout.revision(), rollout.at());
    }
    if (status.lastDecision() == null) {
      return;
    }
    Integer unplaced = status.unschedulableReplicas();
    if (unplaced != null) {
      markRoom(unplaced > 0, status.lastDecision().at());
    }
    for (var metric : status.metrics()) {
      var breaker = metric.breaker();
      if (breaker != null) {
        marks.observe(
            metric.name(),
            status.lastDecision().at(),
            trust(breaker.state()),
            Objects.requireNonNullElse(breaker.reason(), ""),
            Optional.ofNullable(metric.modelFittedAt()));
      }
    }
  }

  /** A new node takes some minutes; to wait for one is no incident. */
  private void markRoom(boolean isFull, Instant at) {
    if (!isFull) {
      fullSince = null;
      marks.observe("room", at, false, "Every replica has a node.");
      return;
    }
    var since = fullSince == null ? at : fullSince;
    fullSince = since;
    if (Duration.between(since, at).compareTo(LONGEST_FOR_NODE) > 0) {
      marks.observe("room", since, true, "No node has room for a new replica.");
    }
  }

  /** The breaker has marks of its own; in Shadow mode, and asleep at 0, nothing is wrong. */
  static boolean isIncident(StatusCondition condition) {
    return condition.type() != ConditionType.ForecastTrusted
        && condition.status() != ConditionStatus.Unknown
        && condition.reason() != ConditionReason.ShadowMode
        && !condition.message().contains(AT_ZERO);
  }

  private void mark(StatusCondition condition) {
    marks.observe(
        condition.type().name(),
        condition.lastTransitionTime(),
        condition.status() == ConditionStatus.False,
        condition.message());
  }

  private static Trust.State trust(BreakerState state) {
    return switch (state) {
      case Learning -> Trust.State.LEARNING;
      case Closed -> Trust.State.CLOSED;
      case Open -> Trust.State.OPEN;
    };
  }

  private void decided(Explanation why) {
    var begin = why.at().truncatedTo(ChronoUnit.MINUTES);
    var metrics = DecisionFromStatus.metrics(newest);
    var hpa = reactive == null ? reactive(why) : reactive;
    reactive = hpa;
    var last = minutes.peekLast();
    if (last != null) {
      if (begin.isBefore(last.begin())) {
        return;
      }
      if (begin.equals(last.begin())) {
        minutes.removeLast();
      }
      pass(hpa, last, begin);
    }
    minutes.addLast(minute(begin, why, metrics, hpa));
  }

  /** Advances the reactive HPA over the minutes since the last one, with that minute's demand. */
  private static void pass(HpaSimulation hpa, WatchedMinute last, Instant now) {
    long minutes = Math.min(ChronoUnit.MINUTES.between(last.begin(), now), ClusterWorkloads.DAY);
    for (long i = 0; i < minutes * SYNCS_A_MINUTE; i++) {
      hpa.sync(last.load());
    }
  }

  private WatchedMinute minute(
      Instant begin, Explanation why, List<WatchedMetric> metrics, HpaSimulation hpa) {
    var status = newest.getStatus();
    Integer current = status.currentReplicas();
    Integer ready = status.readyReplicas();
    return new WatchedMinute(
        begin,
        isActive(),
        why,
        metrics,
        current == null ? 0 : current,
        ready == null ? OptionalInt.empty() : OptionalInt.of(ready),
        hpa.currentReplicas(),
        hpa.readyReplicas());
  }

  /**
   * A reactive HPA that starts with the current replicas, or else with the number that the demand
   * needs. Its metric is the demand in replicas, so it does not matter which metric needs the most.
   */
  private HpaSimulation reactive(Explanation why) {
    var spec = newest.getSpec();
    Integer ready = newest.getStatus().readyReplicas();
    double load = why.observed() / why.capacityPerReplica();
    var parts = why.lead().parts();
    var starting = parts.schedule().plus(parts.pull()).plus(parts.ready());
    return new HpaSimulation(
        HpaRules.defaults().withReplicas(spec.minReplicas(), spec.maxReplicas()),
        Reactive.USUAL_TARGET,
        new ColdStart.Constant(starting.isPositive() ? starting : why.lead().total()),
        ready == null ? HpaRules.replicasFor(load, Reactive.USUAL_TARGET) : ready,
        new SplittableRandom(0));
  }

  PredictiveHPA newest() {
    return newest;
  }

  /** The minutes, the oldest first. */
  Stream<WatchedMinute> minutes() {
    return minutes.stream();
  }

  MarkLog marks() {
    return marks;
  }

  Optional<WatchedMinute> newestMinute() {
    return Optional.ofNullable(minutes.peekLast());
  }

  /** One that cannot be read is not said to be in Shadow mode. */
  boolean isActive() {
    return newest.getSpec() == null || newest.getSpec().mode() == Mode.Active;
  }

  /** When the first minute began that {@link #seconds} counts. */
  Optional<Instant> since() {
    return minutes.stream().filter(this::isCounted).findFirst().map(WatchedMinute::begin);
  }

  /** What was in another mode says nothing of this one. */
  private boolean isCounted(WatchedMinute minute) {
    return minute.isActive() == isActive();
  }

  /** The sum over the minutes in the current mode, each of which stands until the next. */
  double seconds(ToDoubleFunction<WatchedMinute> value) {
    double sum = 0;
    Instant next = null;
    for (var minute : minutes.reversed()) {
      var lasts = next == null ? MINUTE : Duration.between(minute.begin(), next);
      if (isCounted(minute)) {
        sum += value.applyAsDouble(minute) * Math.min(lasts.toSeconds(), LONGEST.toSeconds());
      }
      next = minute.begin();
    }
    return sum;
  }
}
