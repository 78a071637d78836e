package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.prescale.controller.cluster.HpaReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the control loop reads of an HPA, so that the annotations of others hold no memory. */
public final class HpaInBrief {
  /** Never read from the API server: {@link #of} drops both. */
  private static final String TOO_LARGE = "prescale.io/too-large";

  private static final String IN_PART = "prescale.io/in-part";

  /** Of names and UIDs that the API server gives; an owner may have any. */
  private static final int LONGEST_NAME = 253;

  /** Of one that is too large. */
  private static final int MOST_OWNERS = 16;

  private HpaInBrief() {}

  /** Identity, owners, the label and annotations of Prescale, spec and status. */
  public static HorizontalPodAutoscaler of(HorizontalPodAutoscaler hpa) {
    var meta = hpa.getMetadata();
    var annotations = new HashMap<>(OriginalSpec.annotations(hpa));
    annotations.keySet().retainAll(Set.of(OriginalSpec.ADOPTED_BY, OriginalSpec.ORIGINAL_SPEC));
    var labels = new HashMap<>(Objects.requireNonNullElse(meta.getLabels(), Map.of()));
    labels.keySet().retainAll(Set.of(HpaPlanner.MANAGED_BY));
    var brief =
        new HorizontalPodAutoscalerBuilder()
            .withMetadata(
                new ObjectMetaBuilder()
                    .withNamespace(meta.getNamespace())
                    .withName(meta.getName())
                    .withUid(meta.getUid())
                    .withResourceVersion(meta.getResourceVersion())
                    .withGeneration(meta.getGeneration())
                    .withCreationTimestamp(meta.getCreationTimestamp())
                    .withDeletionTimestamp(meta.getDeletionTimestamp())
                    .withOwnerReferences(owners(meta))
                    .withLabels(labels)
                    .withAnnotations(annotations)
                    .build())
            .withSpec(hpa.getSpec())
            .withStatus(hpa.getStatus())
            .build();
    return HpaReader.isInPart(hpa) ? inPart(brief) : brief;
  }

  /** Without those that no object can be. */
  private static List<OwnerReference> owners(ObjectMeta meta) {
    return meta.getOwnerReferences().stream()
        .filter(it -> isShort(it.getUid()) && isShort(it.getName()))
        .toList();
  }

  private static boolean isShort(@Nullable String name) {
    return name == null || name.length() <= LONGEST_NAME;
  }

  private static HorizontalPodAutoscaler inPart(HorizontalPodAutoscaler brief) {
    return new HorizontalPodAutoscalerBuilder(ofLarge(brief))
        .editMetadata()
        .addToAnnotations(IN_PART, "true")
        .endMetadata()
        .build();
  }

  /**
   * What is kept of one in brief that is too large all the same: who has to do with it and what it
   * scales, so that it is not taken for absent, and its rules can be given back.
   */
  public static HorizontalPodAutoscaler ofLarge(HorizontalPodAutoscaler brief) {
    return new HorizontalPodAutoscalerBuilder(brief)
        .editMetadata()
        .withOwnerReferences(
            brief.getMetadata().getOwnerReferences().stream().limit(MOST_OWNERS).toList())
        .removeFromAnnotations(OriginalSpec.ORIGINAL_SPEC)
        .addToAnnotations(TOO_LARGE, "true")
        .endMetadata()
        .withNewSpec()
        .withScaleTargetRef(brief.getSpec().getScaleTargetRef())
        .withMaxReplicas(brief.getSpec().getMaxReplicas())
        .endSpec()
        .withStatus(null)
        .build();
  }

  /** Whether the rules of a kept HPA are not known. */
  static boolean isOfLarge(HorizontalPodAutoscaler kept) {
    return OriginalSpec.annotations(kept).containsKey(TOO_LARGE);
  }

  /** Whether that is because some of them cannot be read. */
  static boolean isInPart(HorizontalPodAutoscaler kept) {
    return OriginalSpec.annotations(kept).containsKey(IN_PART);
  }
}
