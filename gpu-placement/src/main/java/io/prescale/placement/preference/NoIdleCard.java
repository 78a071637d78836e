package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/** Prefers a node without idle cards, which keeps idle ones together for larger requests. */
public record NoIdleCard() implements Preference {
  @Override
  public String name() {
    return "no idle card";
  }

  @Override
  public String inWords(long cost) {
    return cost == 0 ? "none is idle" : "some are idle";
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    long cost = node.idleCards().isEmpty() ? 0 : 1;
    return _ -> cost;
  }
}
