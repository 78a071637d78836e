package io.prescale.controller.autoscaling;

import io.prescale.controller.schedules.Schedules;
import io.prescale.forecasting.DurationInWords;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Everything that a target's owner has set.
 *
 * @param metrics one to eight, of different names
 * @param hpa the rules of the HPA that acts on the served values: limits, behavior, tolerances, and
 *     the sync period of its controller
 * @param risk how much shortage is accepted
 * @param forecast how demand is forecast
 * @param timeToLive how long a served value may be answered when no newer one comes; at least two
 *     steps
 * @param utilization share of a replica's capacity to aim at while forecasts are not followed,
 *     above 0 and at most 1
 * @param riskAtZero accepted probability that demand comes while there is no replica, above 0 and
 *     at most 0.5; empty where there always is one
 * @param schedules floors and ceilings by the clock; reached as the HPA's policies allow
 */
public record TargetSettings(
    List<MetricSettings> metrics,
    HpaRules hpa,
    Risk risk,
    ForecastSettings forecast,
    Duration timeToLive,
    double utilization,
    OptionalDouble riskAtZero,
    Schedules schedules) {
  /** As many as the status holds. */
  public static final int MOST_METRICS = 8;

  private static final Duration LONGEST_TIME_TO_LIVE = Duration.ofDays(1);

  public TargetSettings {
    metrics = List.copyOf(metrics);
    if (metrics.isEmpty() || metrics.size() > MOST_METRICS) {
      throw new IllegalArgumentException(
          "a target has 1 to %d metrics: %d".formatted(MOST_METRICS, metrics.size()));
    }
    var names = new HashSet<String>();
    for (MetricSettings metric : metrics) {
      if (!names.add(metric.name())) {
        throw new IllegalArgumentException("two metrics are named " + metric.name());
      }
    }
    if (!isTimeToLive(timeToLive, forecast.step())) {
      throw new IllegalArgumentException(
          "time to live must be from two steps to %s: %s"
              .formatted(DurationInWords.of(LONGEST_TIME_TO_LIVE), DurationInWords.of(timeToLive)));
    }
    schedules = hpa.reaching(schedules);
    ServedValueChoice.requireUtilization(utilization);
    if (riskAtZero.isPresent() && !IdleRule.isRisk(riskAtZero.getAsDouble())) {
      throw new IllegalArgumentException(
          "risk at zero must be above 0 and at most 0.5: " + riskAtZero.getAsDouble());
    }
  }

  /** Whether values may stand in for newer ones so long, when one comes every step. */
  public static boolean isTimeToLive(Duration timeToLive, Duration step) {
    return timeToLive.compareTo(step.multipliedBy(2)) >= 0
        && timeToLive.compareTo(LONGEST_TIME_TO_LIVE) <= 0;
  }

  /** One metric, Kubernetes' default HPA, a shortage budget of 0.5 %, values live 15 minutes. */
  public static TargetSettings of(MetricSettings metric) {
    return new TargetSettings(
        List.of(metric),
        HpaRules.defaults(),
        new Risk.Budget(0.005),
        ForecastSettings.defaults(),
        Duration.ofMinutes(15),
        ServedValueChoice.USUAL_UTILIZATION,
        OptionalDouble.empty(),
        Schedules.none());
  }

  public TargetSettings withHpa(HpaRules newHpa) {
    return new TargetSettings(
        metrics, newHpa, risk, forecast, timeToLive, utilization, riskAtZero, schedules);
  }

  public TargetSettings withRisk(Risk newRisk) {
    return new TargetSettings(
        metrics, hpa, newRisk, forecast, timeToLive, utilization, riskAtZero, schedules);
  }

  public TargetSettings withRiskAtZero(double risk) {
    return new TargetSettings(
        metrics,
        hpa,
        this.risk,
        forecast,
        timeToLive,
        utilization,
        OptionalDouble.of(risk),
        schedules);
  }

  public TargetSettings withSchedules(Schedules newSchedules) {
    return new TargetSettings(
        metrics, hpa, risk, forecast, timeToLive, utilization, riskAtZero, newSchedules);
  }
}
