package io.prescale.controller.demo;

import java.time.Duration;

/** How many of the last day's syncs found demand above the ready capacity. */
final class ShortageMeter {
  private static final int DAY = (int) Duration.ofDays(1).dividedBy(SimulatedService.SYNC);

  private final boolean[] fell = new boolean[DAY];
  private int passed;
  private int missed;

  void pass(boolean isShort) {
    int place = passed % DAY;
    missed += (isShort ? 1 : 0) - (fell[place] ? 1 : 0);
    fell[place] = isShort;
    passed++;
  }

  /** How long capacity fell short within the last day. */
  Duration total() {
    return SimulatedService.SYNC.multipliedBy(missed);
  }

  /** The share of the last day in which capacity fell short, 0 to 1; 0 before the first sync. */
  double share() {
    return passed == 0 ? 0 : (double) missed / Math.min(passed, DAY);
  }
}
