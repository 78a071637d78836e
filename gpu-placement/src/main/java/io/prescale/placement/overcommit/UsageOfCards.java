package io.prescale.placement.overcommit;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;

/** Knows how much memory the shares of a card use. */
@FunctionalInterface
public interface UsageOfCards {
  /**
   * The usage of all shares of a card that are of memory, each or several together; their limits
   * add up to what the card has promised.
   */
  List<MemoryUsage> of(GpuNode node, int card);

  /**
   * The usage of pods by name; unknown for the others, and for those that were observed under
   * another promise.
   */
  static UsageOfCards byPod(Map<String, MemoryUsage> usage) {
    var known = Map.copyOf(usage);
    return (node, card) -> {
      var shares = new ArrayList<MemoryUsage>();
      forEachShare(
          node,
          card,
          (placement, promisedMib) -> {
            var observed = known.get(placement.request().name());
            shares.add(
                observed == null || observed.limitMib() != promisedMib
                    ? MemoryUsage.unknown(promisedMib)
                    : observed);
          });
      return shares;
    };
  }

  /** Passes on each share of a card's memory, with the MiB that were promised to it. */
  static void forEachShare(GpuNode node, int card, ObjIntConsumer<Placement> action) {
    for (var placement : node.placements()) {
      for (var share : placement.shares()) {
        if (share.card() == card && share.memoryMib() > 0) {
          action.accept(placement, share.memoryMib());
        }
      }
    }
  }
}
