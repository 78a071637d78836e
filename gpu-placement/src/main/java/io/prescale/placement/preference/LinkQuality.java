package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.RequestShape;

/** Prefers the best-linked cards, for requests of several cards (go-gpuallocator's score). */
public record LinkQuality() implements Preference {
  @Override
  public String name() {
    return "best links";
  }

  @Override
  public String inWords(long cost) {
    return cost == 0 ? "none needed, or none known" : "a link score of %d".formatted(-cost);
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    var links = node.spec().pairsFor(shape.links());
    boolean matters = shape.links().strength() != LinkRequirement.Strength.NONE;
    if (!matters || shape.gpus() < 2 || links.isEmpty()) {
      return _ -> 0;
    }
    return cards -> -links.get().score(cards);
  }
}
