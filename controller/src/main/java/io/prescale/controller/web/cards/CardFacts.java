package io.prescale.controller.web.cards;

import io.prescale.placement.cluster.GpuNode;
import java.util.List;
import java.util.OptionalInt;

/** Facts about cards and pods that a snapshot does not hold. */
public interface CardFacts {
  /** The pod and workload of a placed request. */
  Holder holder(String request);

  /** The utilisation of a card, in thousandths; empty if unknown. */
  OptionalInt usedMilli(GpuNode node, int card);

  /** What is left out of a node, one sentence each. */
  List<String> problems(String node);

  /**
   * A pod with cards.
   *
   * @param ready whether it is ready
   */
  record Holder(String pod, String workload, boolean ready) {}
}
