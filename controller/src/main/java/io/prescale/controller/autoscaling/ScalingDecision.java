package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.ServedValue.Planned;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What to serve to the HPA, and why.
 *
 * @param servedValue of the external metric, with the demand that one replica carries as target;
 *     empty only when nothing is known
 * @param desiredReplicas what the HPA will make of it, before its own limits
 * @param shortageProbability that demand exceeds these replicas in the window; empty without a
 *     forecast
 * @param reason which rule decided
 * @param activity whether a replica is needed at all; empty where there always is one
 */
public record ScalingDecision(
    OptionalDouble servedValue,
    int desiredReplicas,
    OptionalDouble shortageProbability,
    Reason reason,
    Optional<Activity> activity) {
  /** The rule that decided. */
  public enum Reason {
    /** The replicas whose cost and risk of shortage are least together. */
    FORECAST,
    /** The newest observation is higher than what the forecast asks for. */
    NEVER_BELOW_OBSERVED,
    /** Replicas are likely to be needed again, and to stop and start them would cost more. */
    KEPT,
    /** An earlier decision started replicas for a window that has not begun. */
    STARTED_AHEAD,
    /** There is no forecast yet; the newest observation is served, with headroom. */
    NO_FORECAST,
    /** Forecasts are not trusted, or not yet; the newest observation is served, with headroom. */
    NOT_TRUSTED,
    /** Forecasts are not trusted, and the day before is followed, which has been better. */
    DAY_BEFORE,
    /** The leader changed; its value and plan stand until this one knows as much again. */
    HANDED_OVER,
    /** No replica is needed: 0 is served. Only where a target may have none. */
    IDLE,
    /** A schedule demands more replicas. */
    SCHEDULED_FLOOR,
    /** A schedule allows fewer replicas, even if the newest observation needs more. */
    SCHEDULED_CEILING,
    /** Nothing is known: no value is served, and the HPA keeps its replicas. */
    NOTHING_KNOWN
  }

  public ScalingDecision {
    if (servedValue.isEmpty() != (reason == Reason.NOTHING_KNOWN)) {
      throw new IllegalArgumentException("served %s for %s".formatted(servedValue, reason));
    }
  }

  /** A decision about a target that always has a replica. */
  public ScalingDecision(
      OptionalDouble servedValue,
      int desiredReplicas,
      OptionalDouble shortageProbability,
      Reason reason) {
    this(servedValue, desiredReplicas, shortageProbability, reason, Optional.empty());
  }

  /**
   * The same for a target that may have no replicas: 0 when it is idle, else at least one.
   *
   * @param capacityPerReplica the value that asks for one replica
   */
  ScalingDecision given(Activity judged, double capacityPerReplica) {
    if (judged.isIdle()) {
      return new ScalingDecision(
          OptionalDouble.of(0), 0, judged.probability(), Reason.IDLE, Optional.of(judged));
    }
    boolean hasReplica = servedValue.isEmpty() || servedValue.getAsDouble() >= capacityPerReplica;
    return new ScalingDecision(
        hasReplica ? servedValue : OptionalDouble.of(capacityPerReplica),
        hasReplica ? desiredReplicas : 1,
        shortageProbability,
        reason,
        Optional.of(judged));
  }

  /** The served value, of a decision that serves one. */
  double value() {
    return servedValue.orElseThrow();
  }

  /** The same decision when its value has become another by its plan. */
  ScalingDecision standing(double value, double capacityPerReplica) {
    return new ScalingDecision(
        OptionalDouble.of(value),
        HpaRules.replicasFor(value, capacityPerReplica),
        OptionalDouble.empty(),
        reason,
        activity);
  }

  /** A plan with this value at its head, for those that may keep it down for a while. */
  List<Planned> dueNow(Instant now, List<Planned> plan) {
    return Stream.concat(
            servedValue.stream().mapToObj(value -> new Planned(now, value)), plan.stream())
        .toList();
  }

  /** No value is served. */
  static ScalingDecision nothingKnown() {
    return new ScalingDecision(
        OptionalDouble.empty(), 0, OptionalDouble.empty(), Reason.NOTHING_KNOWN);
  }
}
