package io.prescale.placement.moves;

import io.prescale.placement.consolidation.Move;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What is written on a pod that is to move.
 *
 * @param at when it is evicted at the earliest
 * @param node where its replacement is to go
 * @param uuids of the cards that are booked there
 * @param reason why it moves
 * @param wanted the pod for which it makes way, by UID; only for that reason
 */
public record MoveNotice(
    Instant at, String node, Set<String> uuids, Move.Reason reason, Optional<String> wanted) {
  public MoveNotice {
    uuids = Set.copyOf(uuids);
    if (node.isBlank() || uuids.isEmpty()) {
      throw new IllegalArgumentException(
          "a move to node \"%s\" and cards %s; name a node and a card or more"
              .formatted(node, uuids));
    }
    if (wanted.isPresent() != (reason == Move.Reason.MAKES_WAY)) {
      throw new IllegalArgumentException("reason %s does not go with %s".formatted(reason, wanted));
    }
  }
}
