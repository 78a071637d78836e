package io.prescale.controller.demo;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Which card is lost next: another one each time, as long as there is another. */
final class NextLoss {
  private final Set<String> onceLost = new HashSet<>();

  private record Used(String uuid, int milli) {}

  void lost(String uuid) {
    onceLost.add(uuid);
  }

  /**
   * The sound card with the highest allocation, of those that were never lost if there is one;
   * empty when no card is used.
   *
   * @param mayBe of a card by UUID, whether it may be the one
   */
  Optional<String> among(ClusterSnapshot nodes, Predicate<String> mayBe) {
    return nodes
        .nodes()
        .flatMap(
            node ->
                node.spec().gpus().stream()
                    .filter(gpu -> gpu.health().state() == GpuHealth.State.USABLE)
                    .filter(gpu -> mayBe.test(gpu.uuid()))
                    .filter(gpu -> !node.isIdle(node.spec().gpus().indexOf(gpu)))
                    .map(gpu -> new Used(gpu.uuid(), used(node, gpu))))
        .max(
            Comparator.comparing((Used it) -> !onceLost.contains(it.uuid()))
                .thenComparingInt(Used::milli)
                .thenComparing(Used::uuid))
        .map(Used::uuid);
  }

  private static int used(GpuNode node, Gpu gpu) {
    int card = node.spec().gpus().indexOf(gpu);
    return gpu.computeMilli() - node.freeComputeMilli(card);
  }
}
