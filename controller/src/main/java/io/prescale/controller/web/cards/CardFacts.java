package io.prescale.controller.web.cards;

import io.prescale.placement.cluster.GpuNode;
import java.util.List;
import java.util.OptionalInt;

/** What is known of cards and pods beside what is placed where. */
public interface CardFacts {
  /** Whose a placed request is. */
  Holder holder(String request);

  /** How much of a card is kept busy, in thousandths; empty when nobody knows. */
  OptionalInt usedMilli(GpuNode node, int card);

  /** What of a node is left out, a sentence each. */
  List<String> problems(String node);

  /**
   * A pod with cards.
   *
   * @param ready whether it serves already
   */
  record Holder(String pod, String workload, boolean ready) {}
}
