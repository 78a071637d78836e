package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.Cloner;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;

/**
 * Copies what is reconciled. The SDK's own way, by JSON, takes a twentieth of the time of a
 * controller that begins with 2,000 PredictiveHPAs.
 */
record CheapCopies(KubernetesClient client) implements Cloner {
  @Override
  @SuppressWarnings("unchecked") // a copy is of the same type
  public <T extends HasMetadata> T clone(T object) {
    return object instanceof PredictiveHPA resource
        ? (T) resource.copy()
        : client.getKubernetesSerialization().clone(object);
  }
}
