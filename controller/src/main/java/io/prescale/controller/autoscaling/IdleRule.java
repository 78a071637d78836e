package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.Activity.Cause;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Decides when a target may have no replicas: only while none is needed for all that is known of
 * now and of one lead time ahead. What is unknown keeps one.
 *
 * <p>Remembers until when forecast demand may come: a forecast looks at one window, and a replica
 * that was woken for it waits until that window is over. Not thread-safe.
 */
public final class IdleRule {
  /** The accepted risk where none is stated. */
  public static final double USUAL_RISK = 0.05;

  /** Of a replica: forecasts of constant zeros are rounded by as much. */
  private static final double ROUNDING = 0.001;

  private final double rounding;
  private final double risk;
  private final EventCalendar calendar;
  private double leastDemand = Double.POSITIVE_INFINITY;
  private Instant expectedUntil = Instant.MIN;

  /**
   * A rule that expects nothing yet.
   *
   * @param capacityPerReplica demand that one ready replica carries
   * @param risk accepted probability that demand comes in a window while there is no replica
   */
  public IdleRule(double capacityPerReplica, double risk, EventCalendar calendar) {
    if (!isRisk(risk)) {
      throw new IllegalArgumentException("risk at zero must be above 0 and at most 0.5: " + risk);
    }
    this.rounding = ROUNDING * capacityPerReplica;
    this.risk = risk;
    this.calendar = calendar;
  }

  /** The rule of a target that may have no replicas. */
  static Optional<IdleRule> of(TargetSettings target, MetricSettings metric) {
    return target.riskAtZero().stream()
        .mapToObj(
            risk -> new IdleRule(metric.capacityPerReplica(), risk, target.forecast().calendar()))
        .findAny();
  }

  static boolean isRisk(double risk) {
    return risk > 0 && risk <= 0.5;
  }

  /** Takes in the demand of a step, 0 or more. */
  void seen(double demand) {
    leastDemand = demand > 0 ? Math.min(leastDemand, demand) : leastDemand;
  }

  /**
   * What a forecast may come to and still mean none: half of the least demand there ever was, as
   * quantiles of a load of whole requests lie between 0 and 1 where 1 is improbable.
   */
  private double nothing() {
    return Double.isInfinite(leastDemand) ? rounding : Math.max(rounding, leastDemand / 2);
  }

  /**
   * Judges one step.
   *
   * @param trusted the newest forecast, if it may be followed
   * @param newest demand during the newest completed step
   */
  Activity judge(Optional<QuantileForecast> trusted, OptionalDouble newest) {
    double nothing = nothing();
    var probability =
        trusted.map(it -> OptionalDouble.of(it.exceedance(nothing))).orElse(OptionalDouble.empty());
    trusted
        .filter(it -> it.exceedance(nothing) > risk)
        .map(it -> it.origin().plus(it.lead()).plus(it.window()))
        .ifPresent(this::expectUntil);
    return new Activity(cause(trusted, newest), probability);
  }

  /** Demand may come until then. */
  void expectUntil(Instant end) {
    expectedUntil = end.isAfter(expectedUntil) ? end : expectedUntil;
  }

  Instant expectedUntil() {
    return expectedUntil;
  }

  private Cause cause(Optional<QuantileForecast> trusted, OptionalDouble newest) {
    if (newest.isPresent() && newest.getAsDouble() > 0) {
      return Cause.OBSERVED_DEMAND;
    }
    if (newest.isEmpty() || trusted.isEmpty()) {
      return Cause.UNKNOWN;
    }
    var forecast = trusted.get();
    if (isEvent(forecast.origin(), forecast.lead().plus(forecast.window()))) {
      return Cause.DECLARED_EVENT;
    }
    return expectedUntil.isAfter(forecast.origin()) ? Cause.FORECAST : Cause.IDLE;
  }

  /** Whether an event that may bring demand takes place or begins soon. */
  private boolean isEvent(Instant now, Duration ahead) {
    return calendar.events().stream()
        .filter(it -> it.expectedFactor().orElse(Double.POSITIVE_INFINITY) > 1)
        .anyMatch(it -> it.end().isAfter(now) && it.start().isBefore(now.plus(ahead)));
  }
}
