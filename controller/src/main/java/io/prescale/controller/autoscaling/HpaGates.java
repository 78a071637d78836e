package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.HpaState.Condition;
import io.prescale.controller.autoscaling.HpaVerdict.Gate;
import io.prescale.forecasting.CountInWords;
import java.util.Optional;

/**
 * Derives from an HPA's status what it made of a served value: its formula is known exactly ({@code
 * replica_calculator.go}, AverageValue), and its conditions name the limit that it applied ({@code
 * horizontal.go}).
 */
final class HpaGates {
  private final HpaRules rules;
  private final MetricSettings metric;
  private final double served;
  private final HpaState hpa;
  private final int wanted;

  private HpaGates(HpaRules rules, MetricSettings metric, double served, HpaState hpa) {
    this.rules = rules;
    this.metric = metric;
    this.served = served;
    this.hpa = hpa;
    this.wanted = wanted(rules, metric.capacityPerReplica(), served, hpa.currentReplicas());
  }

  static HpaVerdict judge(
      HpaRules rules, MetricSettings metric, double served, Optional<HpaState> hpa) {
    if (hpa.isEmpty()) {
      int wanted = wanted(rules, metric.capacityPerReplica(), served, 0);
      return new HpaVerdict(
          wanted,
          Gate.NO_HPA,
          "No HPA acts on it; one would want %s.".formatted(CountInWords.of(wanted, "replica")));
    }
    return new HpaGates(rules, metric, served, hpa.get()).judge();
  }

  /** Replicas by the HPA's formula; within the tolerance, those that there are. */
  private static int wanted(HpaRules rules, double capacity, double served, int current) {
    return rules.tolerates(served, capacity, current)
        ? current
        : HpaRules.replicasFor(served, capacity);
  }

  private HpaVerdict judge() {
    var failing = failing();
    if (failing.isPresent()) {
      return failing.get();
    }
    if (!hasRead()) {
      return verdict(Gate.NOT_READ_YET, "The HPA has not read this value yet.");
    }
    int desired = hpa.desiredReplicas();
    int asked = HpaRules.replicasFor(served, metric.capacityPerReplica());
    if (desired == wanted) {
      return wanted == asked
          ? verdict(
              Gate.NONE,
              "The HPA wants %s and asks for %s."
                  .formatted(CountInWords.of(wanted, "replica"), wanted == 1 ? "it" : "them"))
          : verdict(
              Gate.TOLERANCE,
              "The HPA stays at %s: %d %s within its tolerance."
                  .formatted(
                      CountInWords.of(desired, "replica"), asked, asked == 1 ? "is" : "are"));
    }
    return held(desired);
  }

  private Optional<HpaVerdict> failing() {
    return hpa.condition("ScalingActive")
        .filter(c -> !c.isTrue())
        .or(() -> hpa.condition("AbleToScale").filter(c -> !c.isTrue()))
        .map(
            c -> {
              boolean metricFails = isAboutMetrics(c.reason());
              return verdict(
                  metricFails ? Gate.FAILING_METRIC : Gate.INACTIVE,
                  metricFails
                      ? "The HPA cannot read a metric, and so does not scale down (%s: %s)."
                          .formatted(c.reason(), c.message())
                      : "The HPA does not act (%s: %s).".formatted(c.reason(), c.message()));
            });
  }

  private static boolean isAboutMetrics(String reason) {
    return reason.equals("InvalidMetricSourceType")
        || (reason.startsWith("FailedGet") && !reason.equals("FailedGetScale"));
  }

  /** The status holds the average, rounded up to a thousandth. */
  private boolean hasRead() {
    if (hpa.currentReplicas() == 0) { // an average over none says nothing
      return hpa.seen().stream().anyMatch(seen -> seen.name().equals(metric.name()));
    }
    double rounding = 0.001 * hpa.currentReplicas() + 1e-6 * served;
    return hpa.seen().stream()
        .filter(seen -> seen.name().equals(metric.name()))
        .anyMatch(
            seen -> Math.abs(seen.averageValue() * hpa.currentReplicas() - served) <= rounding);
  }

  private HpaVerdict held(int desired) {
    if (wanted > rules.maxReplicas() && desired == rules.maxReplicas()) {
      return verdict(
          Gate.MAXIMUM,
          "The HPA wants %s and may have %d (maxReplicas)."
              .formatted(CountInWords.of(wanted, "replica"), desired));
    }
    if (wanted < rules.minReplicas() && desired == rules.minReplicas()) {
      return verdict(
          Gate.MINIMUM,
          "The HPA wants %s and must have %d (minReplicas)."
              .formatted(CountInWords.of(wanted, "replica"), desired));
    }
    String stabilized = desired > wanted ? "ScaleDownStabilized" : "ScaleUpStabilized";
    if (reason("AbleToScale").equals(stabilized)) {
      return verdict(
          Gate.STABILIZATION,
          "The HPA wants %s; earlier recommendations in its stabilization window keep it at %d."
              .formatted(CountInWords.of(wanted, "replica"), desired));
    }
    String limited = desired > wanted ? "ScaleDownLimit" : "ScaleUpLimit";
    if (reason("ScalingLimited").equals(limited)) {
      return verdict(
          Gate.POLICY,
          "The HPA wants %s; its scaling policies allow %d for now."
              .formatted(CountInWords.of(wanted, "replica"), desired));
    }
    return desired > wanted
        ? verdict(
            Gate.OTHER_METRIC,
            "The HPA wants %s for this metric; another one asks for %d."
                .formatted(CountInWords.of(wanted, "replica"), desired))
        : verdict(Gate.NOT_READ_YET, "The HPA has not acted on this value yet.");
  }

  private String reason(String type) {
    return hpa.condition(type).map(Condition::reason).orElse("");
  }

  private HpaVerdict verdict(Gate gate, String message) {
    return new HpaVerdict(wanted, gate, message);
  }
}
