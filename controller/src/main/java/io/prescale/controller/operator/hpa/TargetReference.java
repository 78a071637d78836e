package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.prescale.controller.cluster.HpaReader;
import java.util.Objects;

/** Compares and words references to scale targets. */
public final class TargetReference {
  /** As {@link HpaReader} gives it where it cannot be read; no target has such a name. */
  static final CrossVersionObjectReference UNKNOWN = new CrossVersionObjectReference(null, "", "");

  private TargetReference() {}

  /** Whether an HPA scales what cannot be read. */
  static boolean isUnknown(HorizontalPodAutoscaler hpa) {
    return isOf(hpa, UNKNOWN);
  }

  /** Whether two references name one object, in whatever version of its group. */
  public static boolean isSame(CrossVersionObjectReference a, CrossVersionObjectReference b) {
    return Objects.equals(a.getKind(), b.getKind())
        && Objects.equals(a.getName(), b.getName())
        && group(a).equals(group(b));
  }

  /** Whether an HPA scales a target. */
  static boolean isOf(HorizontalPodAutoscaler hpa, CrossVersionObjectReference target) {
    var scaled = hpa.getSpec().getScaleTargetRef();
    return scaled != null && isSame(scaled, target);
  }

  /** Equal for the references of one namespace that {@link #isSame name one object}. */
  public static String key(String namespace, CrossVersionObjectReference target) {
    return "%s/%s.%s/%s".formatted(namespace, target.getKind(), group(target), target.getName());
  }

  /** Such as {@code Deployment/chat}. */
  static String text(CrossVersionObjectReference reference) {
    return reference.getKind() + "/" + reference.getName();
  }

  private static String group(CrossVersionObjectReference reference) {
    var version = Objects.requireNonNullElse(reference.getApiVersion(), "");
    int slash = version.indexOf('/');
    return slash < 0 ? "" : version.substring(0, slash);
  }
}
