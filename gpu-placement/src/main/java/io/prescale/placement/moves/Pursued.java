package io.prescale.placement.moves;

import java.time.Instant;
import java.util.Set;

/**
 * A move that has begun.
 *
 * @param uid of the pod that leaves
 * @param kin of its replacement
 * @param from the cards that it has or had
 * @param seen when it was last seen and not leaving
 */
public record Pursued(String uid, String kin, MoveNotice notice, Set<String> from, Instant seen) {
  public Pursued {
    from = Set.copyOf(from);
  }
}
