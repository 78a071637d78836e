package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** Kinds that not every API server has. */
public final class ServedKind {
  private ServedKind() {}

  /** Whether the API server serves a kind in this version; one request. */
  public static boolean isServed(KubernetesClient client, ResourceDefinitionContext kind) {
    var served = client.getApiResources(kind.getGroup() + "/" + kind.getVersion());
    return served != null
        && served.getResources().stream()
            .anyMatch(resource -> resource.getName().equals(kind.getPlural()));
  }
}
