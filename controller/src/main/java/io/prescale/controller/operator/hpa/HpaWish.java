package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpec;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpecBuilder;
import java.util.List;
import java.util.Optional;

/**
 * What one PredictiveHPA wants of an HPA, in the terms of Kubernetes.
 *
 * @param namespace of the PredictiveHPA, its HPA and its target
 * @param name of the PredictiveHPA
 * @param owner the reference by which Kubernetes deletes our HPA with its PredictiveHPA
 * @param active whether there is to be an HPA at all; false in Shadow mode and on deletion
 * @param keeper whose HPA there is to be
 * @param adopt the existing HPA to change instead of making one
 * @param external the metrics that Prescale serves
 * @param nativeMetrics the user's own, which the HPA computes itself
 * @param behavior the user's; empty for the HPA's defaults
 */
public record HpaWish(
    String namespace,
    String name,
    OwnerReference owner,
    boolean active,
    Keeper keeper,
    Optional<String> adopt,
    CrossVersionObjectReference target,
    int minReplicas,
    int maxReplicas,
    List<External> external,
    List<MetricSpec> nativeMetrics,
    Optional<HorizontalPodAutoscalerBehavior> behavior) {
  /** The label that distinguishes PredictiveHPAs whose metrics have the same name. */
  public static final String SELECTOR_LABEL = "predictivehpa";

  private static final String PREFIX = "prescale-";

  /** Who writes the HPA that reads our metrics. */
  public enum Keeper {
    /** Prescale. */
    PRESCALE,
    /** The user; Prescale only reads it. */
    USER,
    /** KEDA, for a ScaledObject; Prescale only reads it. */
    KEDA
  }

  public HpaWish {
    if (minReplicas < 0 || maxReplicas < 1 || maxReplicas < minReplicas) {
      throw new IllegalArgumentException(
          "minimum replicas %d, maximum replicas %d: the maximum must be at least 1 and the minimum, and that at least 0"
              .formatted(minReplicas, maxReplicas));
    }
    external = List.copyOf(external);
    nativeMetrics = List.copyOf(nativeMetrics);
  }

  /**
   * A metric of Prescale's.
   *
   * @param averageValue the demand that one replica carries
   */
  public record External(String metric, Quantity averageValue) {}

  /** The HPA that is wanted when {@link #active}. */
  String hpaName() {
    return adopt.orElse(PREFIX + name);
  }

  /** How the HPA asks for one of our metrics: AverageValue does not depend on ready pods. */
  MetricSpec externalSpec(External metric) {
    return new MetricSpecBuilder()
        .withType("External")
        .withNewExternal()
        .withNewMetric()
        .withName(metric.metric())
        .withNewSelector()
        .addToMatchLabels(SELECTOR_LABEL, name)
        .endSelector()
        .endMetric()
        .withNewTarget()
        .withType("AverageValue")
        .withAverageValue(metric.averageValue())
        .endTarget()
        .endExternal()
        .build();
  }
}
