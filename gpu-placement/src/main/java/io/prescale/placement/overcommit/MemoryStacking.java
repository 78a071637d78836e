package io.prescale.placement.overcommit;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.Partitioning;
import java.util.stream.Stream;

/**
 * Overcommits the memory of cards within a rule.
 *
 * <p>Applies only to cards with shares of any size, not to slots or instances of fixed size, and
 * never to requests for whole cards, nor to cards that are given whole. A new pod counts with all
 * memory that it requests until its usage has been observed.
 *
 * @param rule the rule that bounds the promised memory
 * @param usage what is known of the shares on cards
 */
public record MemoryStacking(OvercommitRule rule, UsageOfCards usage) {
  /** The node with the memory that its cards may promise now; apply again after each change. */
  public GpuNode applyTo(GpuNode node) {
    int[] stacked = new int[node.cards()];
    for (int card = 0; card < stacked.length; card++) {
      if (isStacked(node, card)) {
        int own = node.gpu(card).memoryMib();
        stacked[card] = rule.promisableMib(usage.of(node, card), own) - own;
      }
    }
    return node.withStackedMib(stacked);
  }

  /** Whether a card may promise its shares and a further one more than it has. */
  public boolean admits(GpuNode node, int card, int furtherMib) {
    return isStacked(node, card)
        && rule.admits(
            Stream.concat(usage.of(node, card).stream(), Stream.of(MemoryUsage.unknown(furtherMib)))
                .toList(),
            node.gpu(card).memoryMib());
  }

  private static boolean isStacked(GpuNode node, int card) {
    return isStacked(node.gpu(card)) && !isGivenWhole(node, card);
  }

  /** Whether one pod has all of its memory, as one that asked for a whole card has. */
  private static boolean isGivenWhole(GpuNode node, int card) {
    return node.placements().stream()
        .flatMap(placement -> placement.shares().stream())
        .anyMatch(it -> it.card() == card && it.memoryMib() >= node.gpu(card).memoryMib());
  }

  private static boolean isStacked(Gpu gpu) {
    return gpu.memoryMib() > 0
        && (gpu.partitioning() == Partitioning.HAMI_CORE
            || gpu.partitioning() == Partitioning.TIME_SLICED);
  }
}
