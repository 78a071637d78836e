package io.prescale.controller.scheduler.facts;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** A PodGroup as the API server has it. */
public final class WrittenPodGroup {
  private WrittenPodGroup() {}

  /**
   * Named {@code g}.
   *
   * @param spec in YAML on one line
   */
  public static GenericKubernetesResource of(String spec) {
    return new KubernetesSerialization()
        .unmarshal(
            """
            apiVersion: scheduling.k8s.io/v1alpha2
            kind: PodGroup
            metadata: {name: g}
            spec: %s
            """
                .formatted(spec),
            GenericKubernetesResource.class);
  }
}
