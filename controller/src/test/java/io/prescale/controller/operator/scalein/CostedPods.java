package io.prescale.controller.operator.scalein;

import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;

/** Pods in namespace {@code team}, with deletion costs and without. */
public final class CostedPods {
  private CostedPods() {}

  public static Pod pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("team")
        .withName(name)
        .withUid("uid-" + name)
        .endMetadata()
        .build();
  }

  /** A pod whose deletion cost a field manager has written. */
  public static Pod pod(String name, String cost, String manager) {
    var fields = new FieldsV1();
    fields.setAdditionalProperty(
        "f:metadata", Map.of("f:annotations", Map.of("f:" + DeletionCosts.ANNOTATION, Map.of())));
    return new PodBuilder(pod(name))
        .editMetadata()
        .addToAnnotations(DeletionCosts.ANNOTATION, cost)
        .addToManagedFields(
            new ManagedFieldsEntryBuilder()
                .withManager(manager)
                .withTime("2026-11-24T11:59:00Z")
                .withFieldsV1(fields)
                .build())
        .endMetadata()
        .build();
  }
}
