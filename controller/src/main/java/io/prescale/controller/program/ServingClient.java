package io.prescale.controller.program;

import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * For what a replica serves: reviews of callers, also of the page's, the trusted authorities, the
 * APIService, the statuses and the plan. The control loop's requests use another one and cannot
 * delay these.
 */
record ServingClient(KubernetesClient client) implements AutoCloseable {
  @Override
  public void close() {
    client.close();
  }
}
