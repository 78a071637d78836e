package io.prescale.controller.program;

import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * For what a replica serves: reviews of callers, the trusted authorities, the APIService and the
 * statuses. The control loop's requests use another one and cannot delay these.
 */
record ServingClient(KubernetesClient client) implements AutoCloseable {
  @Override
  public void close() {
    client.close();
  }
}
