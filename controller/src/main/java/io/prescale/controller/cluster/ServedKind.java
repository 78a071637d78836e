package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** Checks for kinds that not every API server has. */
public final class ServedKind {
  private ServedKind() {}

  /** Whether the API server serves this version of a kind; sends one request. */
  public static boolean isServed(KubernetesClient client, ResourceDefinitionContext kind) {
    var served = client.getApiResources(kind.getGroup() + "/" + kind.getVersion());
    return served != null
        && served.getResources().stream()
            .anyMatch(resource -> resource.getName().equals(kind.getPlural()));
  }
}
