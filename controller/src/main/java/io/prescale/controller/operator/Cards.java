package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
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

  /** The most that one of the pods asks for; empty while there are no pods. */
  static OptionalDouble perReplica(List<Pod> pods) {
    return pods.stream().mapToDouble(Cards::of).max();
  }

  private static double of(Pod pod) {
    return pod.getSpec().getContainers().stream().flatMap(Cards::asked).mapToDouble(it -> it).sum();
  }

  private static Stream<Double> asked(Container container) {
    var resources = container.getResources();
    Map<String, Quantity> limits =
        resources == null || resources.getLimits() == null ? Map.of() : resources.getLimits();
    return limits.keySet().stream()
        .filter(Cards::isCard)
        .map(resource -> amount(limits, resource) * part(limits, resource));
  }

  private static boolean isCard(String resource) {
    return NodeInventory.isCounted(resource) || family(resource).isPresent();
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
    return limit == null ? 0 : limit.getNumericalAmount().doubleValue();
  }
}
