package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/**
 * The node with the fewest idle cards, in three steps for the usual nodes: none, up to four, up to
 * eight. It decides between places that are equally good otherwise: begun nodes are filled and
 * untouched ones kept whole. Finer steps decide too much by chance.
 */
public record FewestIdleCards() implements Preference {
  private static final int STEP = 4;

  @Override
  public String name() {
    return "fewest idle cards";
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    long steps = Math.ceilDiv(node.idleCards().size(), STEP);
    return _ -> steps;
  }
}
