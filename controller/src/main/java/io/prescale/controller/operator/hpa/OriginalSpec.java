package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpec;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpecBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The rules that a user's HPA had before it was adopted; kept on that HPA itself. */
final class OriginalSpec {
  static final String ADOPTED_BY = "prescale.io/adopted-by";
  static final String ORIGINAL_SPEC = "prescale.io/original-spec";

  private OriginalSpec() {}

  static boolean isAdoptedBy(HorizontalPodAutoscaler hpa, String predictiveHpa) {
    return adopter(hpa).filter(Predicate.isEqual(predictiveHpa)).isPresent();
  }

  static Optional<String> adopter(HorizontalPodAutoscaler hpa) {
    return Optional.ofNullable(annotations(hpa).get(ADOPTED_BY));
  }

  /**
   * What to give back. Without a readable annotation that is the present rules less our metrics.
   */
  static HorizontalPodAutoscalerSpec of(
      HorizontalPodAutoscaler hpa, String predictiveHpa, KubernetesSerialization json) {
    var kept = annotations(hpa).get(ORIGINAL_SPEC);
    if (kept != null) {
      try {
        var spec = json.unmarshal(kept, HorizontalPodAutoscalerSpec.class);
        if (spec != null && spec.getScaleTargetRef() != null) {
          return spec;
        }
      } catch (RuntimeException _) { // not what Prescale wrote
        return withoutMetricsOf(predictiveHpa, hpa.getSpec());
      }
    }
    return withoutMetricsOf(predictiveHpa, hpa.getSpec());
  }

  private static HorizontalPodAutoscalerSpec withoutMetricsOf(
      String predictiveHpa, HorizontalPodAutoscalerSpec spec) {
    var others =
        spec.getMetrics().stream()
            .filter(
                metric ->
                    metric.getExternal() == null
                        || metric.getExternal().getMetric().getSelector() == null
                        || !Map.of(HpaWish.SELECTOR_LABEL, predictiveHpa)
                            .equals(
                                metric.getExternal().getMetric().getSelector().getMatchLabels()))
            .toList();
    return new HorizontalPodAutoscalerSpecBuilder(spec).withMetrics(others).build();
  }

  static Map<String, String> annotations(HorizontalPodAutoscaler hpa) {
    var annotations = hpa.getMetadata().getAnnotations();
    return annotations == null ? Map.of() : annotations;
  }
}
