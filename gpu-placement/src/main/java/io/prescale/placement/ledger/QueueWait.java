package io.prescale.placement.ledger;

import java.time.Instant;

/**
 * A pod that waits, as its queue counts it. Amounts are thousandths of a card.
 *
 * @param together what it and those that are placed with it take at least
 * @param rooms how often there had been more room when it was tried
 */
record QueueWait(
    String queue, long milli, long together, Instant created, Claim claim, long rooms) {

  /** Whether a waiting pod lays claim to what its queue is owed. */
  enum Claim {
    /** For a while: the scheduler will ask. */
    NEW,
    /** It does: only the queues keep it waiting. */
    HELD_BACK,
    /** Once there is more room than when it was tried. */
    TRIED
  }
}
