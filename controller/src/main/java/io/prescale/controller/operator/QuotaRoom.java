package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.prescale.controller.cluster.BoundedQuantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How many replicas the ResourceQuotas of a namespace have room for. Quotas with scopes are left
 * out: which pods they limit depends on more than resources.
 */
final class QuotaRoom {
  private static final Set<String> PODS = Set.of("pods", "count/pods");
  private static final String REQUESTS = "requests.";
  private static final String LIMITS = "limits.";

  private QuotaRoom() {}

  /**
   * The most replicas that can exist: the present ones, and as many more like the newest as every
   * quota allows.
   *
   * @param quotas of the namespace
   * @param pods of the workload; those that ended do not count
   * @return empty when no quota limits such a pod, or there is no pod to go by
   */
  static OptionalInt replicas(List<ResourceQuota> quotas, List<Pod> pods) {
    var running = pods.stream().filter(pod -> !hasEnded(pod)).toList();
    var newest =
        running.stream().max(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()));
    return newest
        .flatMap(
            pod -> quotas.stream().flatMap(quota -> room(quota, pod)).min(BigDecimal::compareTo))
        .map(room -> OptionalInt.of(running.size() + clamped(room)))
        .orElse(OptionalInt.empty());
  }

  private static boolean hasEnded(Pod pod) {
    var phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return "Succeeded".equals(phase) || "Failed".equals(phase);
  }

  private static int clamped(BigDecimal room) {
    return room.max(BigDecimal.ZERO).min(BigDecimal.valueOf(1_000_000)).intValue();
  }

  /** How many more such pods each line of a quota allows. */
  private static Stream<BigDecimal> room(ResourceQuota quota, Pod pod) {
    var spec = quota.getSpec();
    boolean scoped =
        spec != null && (!spec.getScopes().isEmpty() || spec.getScopeSelector() != null);
    var status = quota.getStatus();
    if (scoped || status == null || status.getHard() == null || status.getUsed() == null) {
      return Stream.empty();
    }
    var used = status.getUsed();
    return status.getHard().entrySet().stream()
        .flatMap(
            line -> {
              var taken = taken(pod, line.getKey());
              return Stream.ofNullable(used.get(line.getKey()))
                  .filter(_ -> taken.signum() > 0)
                  .map(
                      already ->
                          BoundedQuantity.amount(line.getValue())
                              .subtract(BoundedQuantity.amount(already)))
                  .map(left -> left.divide(taken, 0, RoundingMode.FLOOR));
            });
  }

  /** What a pod takes of a line of a quota. */
  private static BigDecimal taken(Pod pod, String line) {
    if (PODS.contains(line)) {
      return BigDecimal.ONE;
    }
    if (line.startsWith(LIMITS)) {
      return sum(pod, resources -> resources.getLimits(), line.substring(LIMITS.length()));
    }
    var name = line.startsWith(REQUESTS) ? line.substring(REQUESTS.length()) : line;
    return sum(pod, resources -> resources.getRequests(), name);
  }

  /** Containers and sidecars together, and at least what the largest init container takes. */
  private static BigDecimal sum(
      Pod pod, Function<ResourceRequirements, Map<String, Quantity>> kind, String name) {
    var all =
        Stream.concat(
                pod.getSpec().getContainers().stream(),
                pod.getSpec().getInitContainers().stream().filter(QuotaRoom::isSidecar))
            .map(container -> of(container, kind, name))
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    return pod.getSpec().getInitContainers().stream()
        .map(container -> of(container, kind, name))
        .reduce(all, BigDecimal::max);
  }

  private static boolean isSidecar(Container container) {
    return "Always".equals(container.getRestartPolicy());
  }

  private static BigDecimal of(
      Container container,
      Function<ResourceRequirements, Map<String, Quantity>> kind,
      String name) {
    return Optional.ofNullable(container.getResources())
        .map(kind)
        .map(amounts -> amounts.get(name))
        .map(BoundedQuantity::amount)
        .orElse(BigDecimal.ZERO);
  }
}
