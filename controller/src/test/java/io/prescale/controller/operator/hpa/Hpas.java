package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpec;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpecBuilder;
import java.util.List;
import java.util.Optional;

/** HPAs and wishes as tests need them. */
final class Hpas {
  static final CrossVersionObjectReference CHAT =
      new CrossVersionObjectReference("apps/v1", "Deployment", "chat");

  private Hpas() {}

  static HpaWish wish(boolean active) {
    return new HpaWish(
        "team",
        "chat-7b",
        owner("PredictiveHPA", "chat-7b", "uid-1"),
        active,
        Optional.empty(),
        CHAT,
        2,
        9,
        List.of(new HpaWish.External("requests", new Quantity("4"))),
        List.of(),
        Optional.empty());
  }

  static HpaWish adopting(String name) {
    var wish = wish(true);
    return new HpaWish(
        wish.namespace(),
        wish.name(),
        wish.owner(),
        true,
        Optional.of(name),
        wish.target(),
        wish.minReplicas(),
        wish.maxReplicas(),
        wish.external(),
        wish.nativeMetrics(),
        wish.behavior());
  }

  /** The wish that gives the HPA back. */
  static HpaWish released(HpaWish wish) {
    return new HpaWish(
        wish.namespace(),
        wish.name(),
        wish.owner(),
        false,
        wish.adopt(),
        wish.target(),
        wish.minReplicas(),
        wish.maxReplicas(),
        wish.external(),
        wish.nativeMetrics(),
        wish.behavior());
  }

  static OwnerReference owner(String kind, String name, String uid) {
    return new OwnerReferenceBuilder()
        .withApiVersion("autoscaling.prescale.io/v1alpha1")
        .withKind(kind)
        .withName(name)
        .withUid(uid)
        .withController(true)
        .build();
  }

  /** A user's HPA: 1 to 20 replicas by CPU. */
  static HorizontalPodAutoscaler users(String name, CrossVersionObjectReference target) {
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withNamespace("team")
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withScaleTargetRef(target)
        .withMinReplicas(1)
        .withMaxReplicas(20)
        .withMetrics(cpu())
        .endSpec()
        .build();
  }

  static MetricSpec cpu() {
    return new MetricSpecBuilder()
        .withType("Resource")
        .withNewResource()
        .withName("cpu")
        .withNewTarget()
        .withType("Utilization")
        .withAverageUtilization(70)
        .endTarget()
        .endResource()
        .build();
  }
}
