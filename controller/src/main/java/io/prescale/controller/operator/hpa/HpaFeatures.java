package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What the HPAs of one API server can do.
 *
 * @param tolerance whether {@code behavior.scaleUp.tolerance} exists: on by default from Kubernetes
 *     1.35 (feature gate HPAConfigurableTolerance)
 */
public record HpaFeatures(boolean tolerance) {
  private static final int TOLERANCE_SINCE_MINOR = 35;

  /**
   * The features of a server, by a dry run of an HPA that has all of them; if that fails, by its
   * version.
   *
   * @param namespace of the dry run; no HPA is created
   */
  public static HpaFeatures of(KubernetesClient client, String namespace) {
    try {
      var made = client.resource(probe(namespace)).dryRun(true).create();
      return new HpaFeatures(made.getSpec().getBehavior().getScaleUp().getTolerance() != null);
    } catch (KubernetesClientException _) {
      return of(client.getKubernetesVersion());
    }
  }

  private static HorizontalPodAutoscaler probe(String namespace) {
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withGenerateName("prescale-probe-")
        .withNamespace(namespace)
        .endMetadata()
        .withNewSpec()
        .withNewScaleTargetRef("apps/v1", "Deployment", "prescale-probe")
        .withMaxReplicas(1)
        .withNewBehavior()
        .withNewScaleUp()
        .withTolerance(new Quantity("0"))
        .endScaleUp()
        .endBehavior()
        .endSpec()
        .build();
  }

  /** The features of a version; none if it is unknown. */
  public static HpaFeatures of(@Nullable VersionInfo version) {
    if (version == null) {
      return new HpaFeatures(false);
    }
    int major = leadingNumber(version.getMajor());
    int minor = leadingNumber(version.getMinor());
    return new HpaFeatures(major > 1 || (major == 1 && minor >= TOLERANCE_SINCE_MINOR));
  }

  /** Some distributions write {@code 35+}. */
  private static int leadingNumber(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end == 0 || end > 6 ? 0 : Integer.parseInt(text.substring(0, end));
  }
}
