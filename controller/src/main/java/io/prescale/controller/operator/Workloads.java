package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.operator.ScaleTargets.Found;
import io.prescale.controller.operator.ScaleTargets.Scale;
import java.util.List;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the workloads that PredictiveHPAs scale: size, pods and quotas. Thread-safe. */
final class Workloads {
  private static final Logger LOG = LoggerFactory.getLogger(Workloads.class);

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

  /** Replicas that the namespace's quotas have room for; see {@link QuotaRoom}. */
  OptionalInt quotaReplicas(PredictiveHPA resource, List<Pod> pods) {
    try {
      var quotas =
          client
              .resourceQuotas()
              .inNamespace(resource.getMetadata().getNamespace())
              .list(new ListOptionsBuilder().withResourceVersion("0").build())
              .getItems();
      return QuotaRoom.replicas(quotas, pods);
    } catch (KubernetesClientException e) {
      LOG.debug("Quotas of {}: {}", resource.getMetadata().getNamespace(), ApiFailure.text(e));
      return OptionalInt.empty(); // it is only reported
    }
  }
}
