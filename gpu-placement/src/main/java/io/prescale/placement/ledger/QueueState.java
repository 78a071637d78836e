package io.prescale.placement.ledger;

import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.Optional;

/**
 * A queue as it is now; a queue with children has theirs together. Amounts are thousandths of a
 * card.
 *
 * @param usedMilli what its pods hold or are offered
 * @param owedMilli what it should have, given what all queues ask for
 * @param waiting pods that hold nothing yet
 * @param oldest when the oldest of them was created
 */
public record QueueState(
    String name,
    Quota quota,
    long usedMilli,
    long owedMilli,
    int waiting,
    Optional<Instant> oldest) {

  /** What it has beyond its guarantee. */
  public long borrowedMilli() {
    return Math.max(0, usedMilli - quota.guaranteed());
  }
}
