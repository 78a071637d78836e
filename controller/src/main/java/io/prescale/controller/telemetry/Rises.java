package io.prescale.controller.telemetry;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of rises that were asked for ahead of the demand: one at a time, later ones belong to
 * the one that is open. Not thread-safe; O(1) each.
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

  /** Without which replicas would have been too few. */
  long needed() {
    return needed;
  }

  /** Of which nobody had any use until they were due. */
  long falseAlarms() {
    return falseAlarms;
  }
}
