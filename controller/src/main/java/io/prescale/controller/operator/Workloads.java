package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.SelectorException;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.operator.ScaleTargets.Found;
import io.prescale.controller.operator.ScaleTargets.Scale;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the workloads that PredictiveHPAs scale: size, pods and quotas. Pods and quotas are watched
 * while this replica leads; until the watch has answered, they are listed. Thread-safe.
 */
final class Workloads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Workloads.class);

  private final KubernetesClient client;
  private final ScaleTargets scales;
  private final WatchedObjects<Pod> pods;
  private final WatchedObjects<ResourceQuota> quotas;

  Workloads(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.scales = new ScaleTargets(client, clock);
    this.pods = new WatchedObjects<>("pods", client.resources(Pod.class), PodsInBrief::of);
    this.quotas =
        new WatchedObjects<>(
            "ResourceQuotas", client.resources(ResourceQuota.class), UnaryOperator.identity());
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

  /** The pods of a workload that says which are its own. */
  List<Pod> pods(PredictiveHPA resource, Found workload) {
    if (workload.selector().isEmpty()) {
      return List.of();
    }
    var selector = selector(workload);
    var watched = pods.in(resource.getMetadata().getNamespace());
    return selector.isEmpty() || watched.isEmpty()
        ? listPods(resource, workload, "0")
        : watched.get().stream().filter(pod -> selector.get().matches(labels(pod))).toList();
  }

  /** Empty for a selector that only the API server understands. */
  private static Optional<LabelSelector> selector(Found workload) {
    try {
      return Optional.of(LabelSelector.parse(workload.selector()));
    } catch (SelectorException _) {
      return Optional.empty();
    }
  }

  private static Map<String, String> labels(Pod pod) {
    return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
  }

  /** The same as the API server has them now: the watch may lag behind what was written. */
  List<Pod> podsNow(PredictiveHPA resource, Found workload) {
    return workload.selector().isEmpty() ? List.of() : listPods(resource, workload, null);
  }

  private List<Pod> listPods(
      PredictiveHPA resource, Found workload, @Nullable String resourceVersion) {
    return client
        .pods()
        .inNamespace(resource.getMetadata().getNamespace())
        .list(
            new ListOptionsBuilder()
                .withLabelSelector(workload.selector())
                .withResourceVersion(resourceVersion)
                .build())
        .getItems();
  }

  /** Replicas that the namespace's quotas have room for; see {@link QuotaRoom}. */
  OptionalInt quotaReplicas(PredictiveHPA resource, List<Pod> pods) {
    var namespace = resource.getMetadata().getNamespace();
    try {
      return QuotaRoom.replicas(quotas.in(namespace).orElseGet(() -> listQuotas(namespace)), pods);
    } catch (KubernetesClientException e) {
      LOG.debug("Quotas of {}: {}", namespace, ApiFailure.text(e));
      return OptionalInt.empty(); // it is only reported
    }
  }

  private List<ResourceQuota> listQuotas(String namespace) {
    return client
        .resourceQuotas()
        .inNamespace(namespace)
        .list(new ListOptionsBuilder().withResourceVersion("0").build())
        .getItems();
  }
}
