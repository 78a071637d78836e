package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import java.util.HashMap;
import java.util.Set;

/** What the control loop reads of an HPA, so that the annotations of others hold no memory. */
public final class HpaInBrief {
  private HpaInBrief() {}

  /** Identity, owners, Prescale's annotations, spec and status. */
  public static HorizontalPodAutoscaler of(HorizontalPodAutoscaler hpa) {
    var meta = hpa.getMetadata();
    var annotations = new HashMap<>(OriginalSpec.annotations(hpa));
    annotations.keySet().retainAll(Set.of(OriginalSpec.ADOPTED_BY, OriginalSpec.ORIGINAL_SPEC));
    return new HorizontalPodAutoscalerBuilder()
        .withMetadata(
            new ObjectMetaBuilder()
                .withNamespace(meta.getNamespace())
                .withName(meta.getName())
                .withUid(meta.getUid())
                .withResourceVersion(meta.getResourceVersion())
                .withGeneration(meta.getGeneration())
                .withCreationTimestamp(meta.getCreationTimestamp())
                .withDeletionTimestamp(meta.getDeletionTimestamp())
                .withOwnerReferences(meta.getOwnerReferences())
                .withAnnotations(annotations)
                .build())
        .withSpec(hpa.getSpec())
        .withStatus(hpa.getStatus())
        .build();
  }
}
