package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerCondition;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricStatus;
import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.autoscaling.HpaState.SeenMetric;
import io.prescale.controller.operator.hpa.KedaHpas;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the status of an HPA. */
final class HpaStates {
  private HpaStates() {}

  /** Its state, with our metrics by our names; empty before its controller has looked at it. */
  static Optional<HpaState> of(HorizontalPodAutoscaler hpa) {
    var status = hpa.getStatus();
    if (status == null || status.getConditions() == null || status.getConditions().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new HpaState(
            Objects.requireNonNullElse(status.getCurrentReplicas(), 0),
            Objects.requireNonNullElse(status.getDesiredReplicas(), 0),
            Stream.ofNullable(status.getCurrentMetrics())
                .flatMap(Collection::stream)
                .flatMap(metric -> seen(metric).stream())
                .toList(),
            status.getConditions().stream().map(HpaStates::condition).toList()));
  }

  private static Optional<SeenMetric> seen(MetricStatus metric) {
    var external = metric.getExternal();
    if (external == null || external.getCurrent() == null) {
      return Optional.empty();
    }
    return Optional.ofNullable(external.getCurrent().getAverageValue())
        .map(
            value ->
                new SeenMetric(
                    KedaHpas.ourName(external.getMetric()),
                    value.getNumericalAmount().doubleValue()));
  }

  private static HpaState.Condition condition(HorizontalPodAutoscalerCondition condition) {
    return new HpaState.Condition(
        condition.getType(),
        "True".equals(condition.getStatus()),
        Objects.requireNonNullElse(condition.getReason(), ""),
        Objects.requireNonNullElse(condition.getMessage(), ""));
  }
}
