package io.prescale.placement.preference;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.topology.CardSet;

/**
 * Prefers the node with the least CPU and GPU left, each relative to the largest node, as in the
 * experiments of Weng et al. (ATC'23). Combine it with {@link CardPacking} for the card.
 *
 * @param largestCpuMilli CPU of the largest node
 * @param largestGpus number of cards of the largest node
 */
public record BestFit(long largestCpuMilli, int largestGpus) implements Preference {
  private static final long SCALE = 1_000_000;

  public BestFit {
    if (largestCpuMilli < 1 || largestGpus < 1) {
      throw new IllegalArgumentException(
          "the largest node has %d milli CPU and %d GPUs; give at least 1 of both"
              .formatted(largestCpuMilli, largestGpus));
    }
  }

  @Override
  public String name() {
    return "best fit";
  }

  @Override
  public String inWords(long cost) {
    return "%.1f %% left of the largest node".formatted(100.0 * cost / (2 * SCALE));
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    long cpu = SCALE * (node.freeCpuMilli() - shape.host().cpuMilli()) / largestCpuMilli;
    long free = node.freeMilli();
    return cards -> {
      long gpu = free - taken(node, shape, cards);
      return cpu + SCALE * gpu / ((long) largestGpus * Gpu.WHOLE_MILLI);
    };
  }

  /** The free thousandths that a request would take on the cards. */
  private static long taken(GpuNode node, RequestShape shape, CardSet cards) {
    long taken = 0;
    for (int rest = cards.bits(); rest != 0; rest &= rest - 1) {
      int card = Integer.numberOfTrailingZeros(rest);
      taken += node.freeMilli(card) - node.freeMilliAfter(card, shape.demand());
    }
    return taken;
  }
}
