package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.topology.CardSet;

/** One criterion that makes a place better than another. */
public interface Preference extends Criterion {
  /** Prepares to compare the places on a node for requests of one shape. */
  Costs on(GpuNode node, RequestShape shape);

  /** The cost of taking cards of the node; less is better, also across nodes. */
  @FunctionalInterface
  interface Costs {
    long of(CardSet cards);
  }
}
