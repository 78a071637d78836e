package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.ClusterAccess;
import io.prescale.controller.cluster.Pages;
import io.prescale.controller.operator.ScaleTargets.Found;
import io.prescale.controller.operator.ScaleTargets.Scale;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the workloads that PredictiveHPAs scale: size, pods and quotas. Pods, in brief, and quotas
 * are watched while this replica leads. Thread-safe.
 */
final class Workloads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Workloads.class);

  private final KubernetesClient inBrief;
  private final ScaleTargets scales;
  private final WatchedObjects<Pod> pods;
  private final WatchedObjects<ResourceQuota> quotas;

  Workloads(KubernetesClient client, InstantSource clock) {
    this.inBrief = ClusterAccess.apart(client, PodsInBrief.JSON);
    this.scales = new ScaleTargets(client, clock);
    this.pods = new WatchedObjects<>("pods", inBrief.resources(Pod.class), true);
    this.quotas =
        new WatchedObjects<>("ResourceQuotas", client.resources(ResourceQuota.class), false);
  }

  /**
   * Begins to watch.
   *
   * @param namespaces empty for all
   */
  void start(Set<String> namespaces) {
    pods.start(namespaces);
    quotas.start(namespaces);
  }

  @Override
  public void close() {
    pods.close();
    quotas.close();
  }

  Scale read(PredictiveHPA resource) {
    return read(resource, resource.getSpec().scaleTargetRef());
  }

  /** Another workload in the namespace of {@code resource}. */
  Scale read(PredictiveHPA resource, ScaleTargetRef target) {
    return scales.read(resource.getMetadata().getNamespace(), SpecReader.target(target));
  }

  /**
   * Whether the pods of a resource's namespace are known: they have been watched since this replica
   * leads. A break of the watch ends nothing.
   *
   * @throws KubernetesClientException when they could not be listed yet
   */
  boolean arePodsKnown(PredictiveHPA resource) {
    return pods.in(resource.getMetadata().getNamespace()).isPresent();
  }

  /** The known pods of a workload that says which are its own. */
  List<Pod> pods(PredictiveHPA resource, Found workload) {
    if (workload.selector().isEmpty()) {
      return List.of();
    }
    var selector = workload.pods();
    return pods.in(resource.getMetadata().getNamespace()).orElse(List.of()).stream()
        .filter(pod -> selector.matches(labels(pod)))
        .toList();
  }

  private static Map<String, String> labels(Pod pod) {
    return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
  }

  /**
   * Shows the same as the API server has them now, a page at a time: the watch may lag behind what
   * was written.
   */
  void podsNow(PredictiveHPA resource, Found workload, Consumer<List<Pod>> eachPage) {
    if (workload.selector().isEmpty()) {
      return;
    }
    var pods =
        inBrief
            .pods()
            .inNamespace(resource.getMetadata().getNamespace())
            .withLabelSelector(workload.selector());
    Pages.each(pods, BriefObjects.PAGE, eachPage);
  }

  /** Replicas that the namespace's quotas have room for; see {@link QuotaRoom}. */
  OptionalInt quotaReplicas(PredictiveHPA resource, List<Pod> pods) {
    var namespace = resource.getMetadata().getNamespace();
    try {
      return QuotaRoom.replicas(quotas.in(namespace).orElse(List.of()), pods);
    } catch (KubernetesClientException e) {
      LOG.debug("Quotas of {}: {}", namespace, ApiFailure.text(e));
      return OptionalInt.empty(); // it is only reported
    }
  }
}
