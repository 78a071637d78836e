package io.prescale.placement.overcommit;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.Partitioning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Lets cards promise more memory than they have, as a rule allows.
 *
 * <p>Only on cards whose shares have memory of their own choice and not slots or instances of fixed
 * size, and never for who asks a whole card. A pod that comes is one of which nothing is known: it
 * counts with all it asks until it was observed.
 *
 * @param rule that bounds what is promised
 * @param usage what pods were observed to use of a card, by name
 */
public record MemoryStacking(OvercommitRule rule, Map<String, MemoryUsage> usage) {
  public MemoryStacking {
    usage = Map.copyOf(usage);
  }

  /** The node with what its cards may promise now; to be said anew after each change. */
  public GpuNode applyTo(GpuNode node) {
    int[] stacked = new int[node.cards()];
    for (int card = 0; card < stacked.length; card++) {
      var gpu = node.gpu(card);
      if (isStacked(gpu)) {
        int own = gpu.memoryMib();
        stacked[card] = rule.promisableMib(sharesOn(node, card), own) - own;
      }
    }
    return node.withStackedMib(stacked);
  }

  private static boolean isStacked(Gpu gpu) {
    return gpu.memoryMib() > 0
        && (gpu.partitioning() == Partitioning.HAMI_CORE
            || gpu.partitioning() == Partitioning.TIME_SLICED);
  }

  private List<MemoryUsage> sharesOn(GpuNode node, int card) {
    var shares = new ArrayList<MemoryUsage>();
    for (var placement : node.placements()) {
      for (var share : placement.shares()) {
        if (share.card() == card && share.memoryMib() > 0) {
          shares.add(usageOf(placement.request().name(), share.memoryMib()));
        }
      }
    }
    return shares;
  }

  /** What was observed holds for the promise that it was observed under. */
  private MemoryUsage usageOf(String pod, int promisedMib) {
    var observed = usage.get(pod);
    return observed == null || observed.limitMib() != promisedMib
        ? MemoryUsage.unknown(promisedMib)
        : observed;
  }
}
