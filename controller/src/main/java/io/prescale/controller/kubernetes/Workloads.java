package io.prescale.controller.kubernetes;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.kubernetes.ScaleTargets.Found;
import io.prescale.controller.kubernetes.ScaleTargets.Scale;
import java.util.List;

/** What PredictiveHPAs scale: the size, and the pods. Thread-safe. */
final class Workloads {
  private final KubernetesClient client;
  private final ScaleTargets scales;

  Workloads(KubernetesClient client) {
    this.client = client;
    this.scales = new ScaleTargets(client);
  }

  Scale read(PredictiveHPA resource) {
    return scales.read(
        resource.getMetadata().getNamespace(),
        SpecReader.target(resource.getSpec().scaleTargetRef()));
  }

  /** The pods of a workload that says which are its own, from the API server's cache. */
  List<Pod> pods(PredictiveHPA resource, Found workload) {
    if (workload.selector().isEmpty()) {
      return List.of();
    }
    return client
        .pods()
        .inNamespace(resource.getMetadata().getNamespace())
        .list(
            new ListOptionsBuilder()
                .withLabelSelector(workload.selector())
                .withResourceVersion("0")
                .build())
        .getItems();
  }
}
