package io.prescale.controller.demo;

/** The share of the last day's syncs at which demand was above the ready capacity. */
final class ShortageMeter {
  private static final int DAY = 4 * 24 * 60;

  private final boolean[] fell = new boolean[DAY];
  private int passed;
  private int missed;

  void pass(boolean isShort) {
    int place = passed % DAY;
    missed += (isShort ? 1 : 0) - (fell[place] ? 1 : 0);
    fell[place] = isShort;
    passed++;
  }

  /** 0 to 1; 0 before the first sync. */
  double share() {
    return passed == 0 ? 0 : (double) missed / Math.min(passed, DAY);
  }
}
