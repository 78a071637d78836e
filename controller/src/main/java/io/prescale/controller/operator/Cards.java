package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.prescale.placement.inventory.Families;
import io.prescale.placement.inventory.NodeInventory;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** How many cards, or parts of cards, a replica asks for. */
final class Cards {
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
    return limits.entrySet().stream()
        .filter(limit -> isCard(limit.getKey()))
        .map(limit -> limit.getValue().getNumericalAmount())
        .map(BigDecimal::doubleValue);
  }

  private static boolean isCard(String resource) {
    return NodeInventory.isCounted(resource)
        || Families.ALL.stream().anyMatch(it -> it.resources().count().equals(resource));
  }
}
