package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * An adopted HPA has a field that cannot be read, so that a patch from what was read might lose it.
 */
public final class HpaInPartException extends KubernetesClientException {
  private static final long serialVersionUID = 1;

  HpaInPartException(String name) {
    super(
        "HorizontalPodAutoscaler %s has a field that this version of Prescale cannot read, so its own rules are not given back; correct the tool that wrote it, upgrade Prescale, or delete that HorizontalPodAutoscaler."
            .formatted(name));
  }
}
