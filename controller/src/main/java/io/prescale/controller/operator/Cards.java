package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.prescale.controller.cluster.BoundedQuantity;
import io.prescale.placement.inventory.Families;
import io.prescale.placement.inventory.Family;
import io.prescale.placement.inventory.NodeInventory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** How many cards, or parts of cards, a replica asks for. */
final class Cards {
  private static final double WHOLE_PERCENT = 100;

  private Cards() {}

  /** The most that one of the pods asks for; empty while there are no pods, or one is unclear. */
  static OptionalDouble perReplica(List<Pod> pods) {
    return pods.stream().flatMap(Cards::containers).anyMatch(Cards::isUnclear)
        ? OptionalDouble.empty()
        : pods.stream().mapToDouble(Cards::of).max();
  }

  private static Stream<Container> containers(Pod pod) {
    return pod.getSpec().getContainers().stream();
  }

  private static double of(Pod pod) {
    return containers(pod).flatMap(Cards::asked).mapToDouble(it -> it).sum();
  }

  /** What part of a card a MIG instance, a time-sliced replica or a claim is, no pod says. */
  private static boolean isUnclear(Container container) {
    var resources = container.getResources();
    return (resources != null && !resources.getClaims().isEmpty())
        || limits(container).keySet().stream()
            .anyMatch(it -> NodeInventory.isCounted(it) && family(it).isEmpty());
  }

  private static Stream<Double> asked(Container container) {
    var limits = limits(container);
    return limits.keySet().stream()
        .filter(resource -> family(resource).isPresent())
        .map(resource -> amount(limits, resource) * part(limits, resource));
  }

  private static Map<String, Quantity> limits(Container container) {
    var resources = container.getResources();
    return resources == null || resources.getLimits() == null ? Map.of() : resources.getLimits();
  }

  private static Optional<Family.Resources> family(String resource) {
    return Families.ALL.stream()
        .map(Family::resources)
        .filter(it -> it.count().equals(resource))
        .findFirst();
  }

  /** The part of each card's compute that is asked for; 1 where none is named. */
  private static double part(Map<String, Quantity> limits, String resource) {
    return family(resource)
        .flatMap(Family.Resources::cores)
        .map(cores -> amount(limits, cores) / WHOLE_PERCENT)
        .filter(part -> part > 0 && part < 1)
        .orElse(1.0);
  }

  private static double amount(Map<String, Quantity> limits, String resource) {
    var limit = limits.get(resource);
    return limit == null ? 0 : BoundedQuantity.amount(limit).doubleValue();
  }
}
