package io.prescale.placement.ledger;

import java.util.List;

/**
 * The nodes that were best for a pod when its place was found.
 *
 * @param nodes the best first, no more than are on a shortlist
 * @param areAll whether no other node fits
 */
record Ranked(List<String> nodes, boolean areAll) {
  static final Ranked NONE = new Ranked(List.of(), false);

  Ranked {
    nodes = List.copyOf(nodes);
  }
}
