package io.prescale.controller.telemetry;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Judges rises that were asked for ahead of demand, one at a time: later ones count as part of the
 * one that is open. Not thread-safe; O(1) each.
 */
final class Rises {
  private @Nullable Instant due;
  private int heldBefore;
  private int highest;
  private long needed;
  private long falseAlarms;

  /** More is asked for than was held and than the demand needs; judged when it is due. */
  void asked(int held, Instant judgedAt) {
    if (due == null) {
      due = judgedAt;
      heldBefore = held;
      highest = 0;
    }
  }

  /** The demand needs so many replicas now. */
  void seen(Instant now, int replicas) {
    highest = Math.max(highest, replicas);
    if (due != null && !now.isBefore(due)) {
      if (highest > heldBefore) {
        needed++;
      } else {
        falseAlarms++;
      }
      due = null;
    }
  }

  /** Rises without which there would have been too few replicas. */
  long needed() {
    return needed;
  }

  /** Rises that demand had not needed by the time they were due. */
  long falseAlarms() {
    return falseAlarms;
  }
}
