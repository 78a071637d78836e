package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.BreakerStatus;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.DecisionStatus;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.autoscaling.HandedOver;
import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.controller.autoscaling.ServedValue.Planned;
import io.prescale.controller.operator.status.Conditions;
import io.prescale.controller.operator.status.StatusText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads from a status what an earlier leader served by forecasts that it trusted. */
final class EarlierLeader {
  private EarlierLeader() {}

  /** By metric; none of a status that is about an earlier spec, whose queries may be others. */
  static Map<String, HandedOver> served(PredictiveHPA resource) {
    var status = resource.getStatus();
    return status != null
            && Objects.equals(status.observedGeneration(), resource.getMetadata().getGeneration())
        ? trusted(resource, status)
        : Map.of();
  }

  /**
   * By metric, of a status that may be about an earlier spec with the same queries. Part of it may
   * be what that spec demanded, which is not waited for.
   */
  static Map<String, HandedOver> servedBeforeAnEdit(PredictiveHPA resource) {
    var status = resource.getStatus();
    var served = new LinkedHashMap<String, HandedOver>();
    if (status != null) {
      trusted(resource, status).forEach((name, it) -> served.put(name, it.notAhead()));
    }
    return served;
  }

  private static Map<String, HandedOver> trusted(
      PredictiveHPA resource, PredictiveHPAStatus status) {
    var all = new LinkedHashMap<String, HandedOver>();
    if (isReady(status)) {
      var known = resource.getSpec().forecastMetrics();
      status.metrics().stream()
          .filter(metric -> known.stream().anyMatch(it -> it.name().equals(metric.name())))
          .filter(metric -> isTrusted(metric) || isHandedOver(metric, status.lastDecision()))
          .forEach(
              metric ->
                  served(metric, status.lastDecision())
                      .ifPresent(it -> all.put(metric.name(), it)));
    }
    return all;
  }

  private static Optional<HandedOver> served(
      MetricStatus metric, @Nullable DecisionStatus decision) {
    var value = Amount.value(metric.served());
    var at = metric.servedAt();
    var ttl = metric.ttlSeconds();
    if (value.isEmpty() || value.getAsDouble() < 0 || at == null || ttl == null) {
      return Optional.empty();
    }
    return Optional.of(
        new HandedOver(
            value.getAsDouble(),
            planned(metric.plan()),
            at.plusSeconds(ttl),
            followed(metric, decision),
            !isScheduled(metric, decision)));
  }

  private static boolean isScheduled(MetricStatus metric, @Nullable DecisionStatus decision) {
    return isDecidedBy(
        metric,
        decision,
        ScalingDecision.Reason.SCHEDULED_FLOOR,
        ScalingDecision.Reason.SCHEDULED_CEILING);
  }

  /** A trusted leader that handed on what it had taken over itself did not follow one yet. */
  private static boolean followed(MetricStatus metric, @Nullable DecisionStatus decision) {
    var parts = metric.parts();
    return (parts != null && !parts.leading().isEmpty())
        || (isTrusted(metric) && isHandedOver(metric, decision));
  }

  private static boolean isTrusted(MetricStatus metric) {
    return Optional.ofNullable(metric.breaker())
        .map(BreakerStatus::state)
        .filter(state -> state == BreakerState.Closed)
        .isPresent();
  }

  /** Otherwise the metrics of the status may be those of an earlier spec. */
  private static boolean isReady(PredictiveHPAStatus status) {
    return Conditions.of(status.conditions(), ConditionType.Ready)
        .filter(ready -> ready.status() == ConditionStatus.False)
        .isEmpty();
  }

  /** The earlier leader had taken it over itself, and did not know as much yet. */
  private static boolean isHandedOver(MetricStatus metric, @Nullable DecisionStatus decision) {
    return isDecidedBy(metric, decision, ScalingDecision.Reason.HANDED_OVER);
  }

  private static boolean isDecidedBy(
      MetricStatus metric, @Nullable DecisionStatus decision, ScalingDecision.Reason... reasons) {
    return decision != null
        && metric.name().equals(decision.metric())
        && Arrays.stream(reasons)
            .map(StatusText::reason)
            .anyMatch(it -> it.equals(decision.reason()));
  }

  private static List<Planned> planned(List<PlanPoint> plan) {
    return plan.stream()
        .flatMap(
            point ->
                Amount.value(point.value()).stream().mapToObj(it -> new Planned(point.at(), it)))
        .toList();
  }
}
