package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricIdentifier;
import java.util.Optional;
import java.util.regex.Pattern;

/** What KEDA writes into the HPAs that it makes for its ScaledObjects. */
public final class KedaHpas {
  private static final String SELECTOR_LABEL = "scaledobject.keda.sh/name";

  /** {@code s0-requests} is the metric {@code requests} of the first trigger. */
  private static final Pattern INDEX = Pattern.compile("s[0-9]+-");

  private KedaHpas() {}

  /** The ScaledObject that an HPA belongs to; empty for one that is not KEDA's. */
  static Optional<String> scaledObject(HorizontalPodAutoscaler hpa) {
    return hpa.getMetadata().getOwnerReferences().stream()
        .filter(owner -> "ScaledObject".equals(owner.getKind()))
        .map(OwnerReference::getName)
        .findFirst();
  }

  /** The name by which an external scaler knows a metric; that of any other metric as it is. */
  public static String ourName(MetricIdentifier metric) {
    var selector = metric.getSelector();
    boolean isKedas =
        selector != null
            && selector.getMatchLabels() != null
            && selector.getMatchLabels().containsKey(SELECTOR_LABEL);
    return isKedas ? INDEX.matcher(metric.getName()).replaceFirst("") : metric.getName();
  }

  /** Whether an HPA of KEDA's has one of our metrics. */
  static boolean reads(HorizontalPodAutoscaler hpa, String metric) {
    return hpa.getSpec().getMetrics().stream()
        .filter(it -> it.getExternal() != null)
        .map(it -> it.getExternal().getMetric())
        .anyMatch(it -> !it.getName().equals(metric) && ourName(it).equals(metric));
  }
}
