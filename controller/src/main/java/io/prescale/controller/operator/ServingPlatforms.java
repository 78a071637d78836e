package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What serving platforms scale themselves, and what a PredictiveHPA names instead, as of KServe
 * 0.17, KubeRay 1.5 and Knative Serving 0.49: their definitions have no scale subresource.
 */
final class ServingPlatforms {
  private static final String KNATIVE =
      "Knative scales %s %s with an autoscaler of its own, and Prescale leaves it alone; delete"
          + " this PredictiveHPA, or serve from a Deployment.";
  private static final String RAY =
      "Ray's own autoscaler decides the workers of %s %s, which has no scale subresource; delete"
          + " this PredictiveHPA, or serve from a Deployment or LeaderWorkerSet.";

  /** By API group and kind; the arguments are the kind and the name. */
  private static final Map<String, String> INSTEAD =
      Map.of(
          "serving.kserve.io/InferenceService",
          "%s %s has no scale subresource; in KServe's Standard (RawDeployment) mode name its"
              + " Deployment, %2$s-predictor, and annotate the InferenceService with"
              + " serving.kserve.io/autoscalerClass: external, so that KServe makes no HPA.",
          "serving.kserve.io/LLMInferenceService",
          "%s %s has no scale subresource; name its Deployment, %2$s-kserve, or its"
              + " LeaderWorkerSet, %2$s-kserve-mn, and leave out spec.replicas.",
          "ray.io/RayService",
          RAY,
          "ray.io/RayCluster",
          RAY,
          "ray.io/RayJob",
          RAY,
          "serving.knative.dev/Service",
          KNATIVE,
          "serving.knative.dev/Configuration",
          KNATIVE,
          "serving.knative.dev/Revision",
          KNATIVE);

  private ServingPlatforms() {}

  /** What to do about a target without a scale subresource; empty for kinds of no platform. */
  static Optional<String> instead(CrossVersionObjectReference target) {
    var version = Objects.requireNonNullElse(target.getApiVersion(), "v1");
    int slash = version.indexOf('/');
    var group = slash < 0 ? "" : version.substring(0, slash);
    return Optional.ofNullable(INSTEAD.get(group + "/" + target.getKind()))
        .map(text -> text.formatted(target.getKind(), target.getName()));
  }

  /**
   * Why not to scale a target that could be.
   *
   * @param selector of its pods
   */
  static Optional<String> scalerOf(CrossVersionObjectReference target, String selector) {
    return selector.contains("serving.knative.dev/revision")
        ? Optional.of(KNATIVE.formatted(target.getKind(), target.getName()))
        : Optional.empty();
  }
}
