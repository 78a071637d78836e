package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;
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
        HpaWish.Keeper.PRESCALE,
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
    return with(wish, true, wish.keeper(), Optional.of(name), wish.nativeMetrics());
  }

  /** The wish that gives the HPA back. */
  static HpaWish released(HpaWish wish) {
    return with(wish, false, wish.keeper(), wish.adopt(), wish.nativeMetrics());
  }

  /** The wish to act through an HPA of the user or of KEDA. */
  static HpaWish through(HpaWish.Keeper keeper) {
    return with(wish(true), true, keeper, Optional.empty(), List.of());
  }

  static HpaWish withBehavior(HorizontalPodAutoscalerBehavior behavior) {
    var wish = wish(true);
    return new HpaWish(
        wish.namespace(),
        wish.name(),
        wish.owner(),
        true,
        wish.keeper(),
        wish.adopt(),
        wish.target(),
        wish.minReplicas(),
        wish.maxReplicas(),
        wish.external(),
        wish.nativeMetrics(),
        Optional.of(behavior));
  }

  /** With native metrics. */
  static HpaWish alongside(MetricSpec... metrics) {
    var wish = wish(true);
    return with(wish, true, wish.keeper(), wish.adopt(), List.of(metrics));
  }

  /** A mean utilization of a resource, in percent. */
  static MetricSpec utilization(String resource, int percent) {
    return new MetricSpecBuilder()
        .withType("Resource")
        .withNewResource()
        .withName(resource)
        .withNewTarget()
        .withType("Utilization")
        .withAverageUtilization(percent)
        .endTarget()
        .endResource()
        .build();
  }

  private static HpaWish with(
      HpaWish wish,
      boolean active,
      HpaWish.Keeper keeper,
      Optional<String> adopt,
      List<MetricSpec> nativeMetrics) {
    return new HpaWish(
        wish.namespace(),
        wish.name(),
        wish.owner(),
        active,
        keeper,
        adopt,
        wish.target(),
        wish.minReplicas(),
        wish.maxReplicas(),
        wish.external(),
        nativeMetrics,
        wish.behavior());
  }

  /** A user's HPA that reads a metric of ours. */
  static HorizontalPodAutoscaler reading(String name, String metric, String averageValue) {
    return new HorizontalPodAutoscalerBuilder(users(name, CHAT))
        .editSpec()
        .addToMetrics(external(metric, HpaWish.SELECTOR_LABEL, "chat-7b", averageValue))
        .endSpec()
        .build();
  }

  /** The HPA of a ScaledObject that reads a metric. */
  static HorizontalPodAutoscaler ofKeda(String scaledObject, String metric) {
    return new HorizontalPodAutoscalerBuilder(users("keda-hpa-" + scaledObject, CHAT))
        .editMetadata()
        .withOwnerReferences(owner("ScaledObject", scaledObject, "uid-of-keda"))
        .endMetadata()
        .editSpec()
        .withMetrics(external(metric, "scaledobject.keda.sh/name", scaledObject, "4"))
        .endSpec()
        .build();
  }

  static MetricSpec external(String metric, String label, String value, String averageValue) {
    return new MetricSpecBuilder()
        .withType("External")
        .withNewExternal()
        .withNewMetric()
        .withName(metric)
        .withNewSelector()
        .addToMatchLabels(label, value)
        .endSelector()
        .endMetric()
        .withNewTarget()
        .withType("AverageValue")
        .withAverageValue(new Quantity(averageValue))
        .endTarget()
        .endExternal()
        .build();
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
