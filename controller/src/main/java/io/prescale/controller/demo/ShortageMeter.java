package io.prescale.controller.demo;

import java.time.Duration;

/**
 * How many of the last day's syncs found demand above the ready capacity. A sync whose demand was
 * not observed counts neither for nor against.
 */
final class ShortageMeter {
  private static final int DAY = (int) Duration.ofDays(1).dividedBy(SimulatedService.SYNC);

  private final boolean[] fell = new boolean[DAY];
  private final boolean[] unseen = new boolean[DAY];
  private int passed;
  private int missed;
  private int unobserved;

  void pass(boolean isShort) {
    pass(isShort, false);
  }

  /** Passes a sync whose demand was not observed. */
  void passUnobserved() {
    pass(false, true);
  }

  private void pass(boolean isShort, boolean isUnseen) {
    int place = passed % DAY;
    missed += (isShort ? 1 : 0) - (fell[place] ? 1 : 0);
    unobserved += (isUnseen ? 1 : 0) - (unseen[place] ? 1 : 0);
    fell[place] = isShort;
    unseen[place] = isUnseen;
    passed++;
  }

  /** How long capacity is known to have fallen short within the last day. */
  Duration total() {
    return SimulatedService.SYNC.multipliedBy(missed);
  }

  /**
   * The share of the observed part of the last day in which capacity fell short, 0 to 1; 0 where
   * nothing was observed.
   */
  double share() {
    int observed = Math.min(passed, DAY) - unobserved;
    return observed == 0 ? 0 : (double) missed / observed;
  }
}
