package io.prescale.controller.simulation.replay;

/** Minutes without an observation. */
final class Gaps {

  private Gaps() {}

  /**
   * A copy with a straight line across each gap, and the nearest value before the first and after
   * the last observation. Only for scoring: a policy never sees it. All NaN when nothing was
   * observed. O(n).
   */
  static double[] bridged(double[] observed) {
    double[] bridged = observed.clone();
    int last = -1;
    for (int i = 0; i < observed.length; i++) {
      if (!Double.isNaN(observed[i])) {
        bridge(bridged, last, i);
        last = i;
      }
    }
    if (last >= 0) {
      bridge(bridged, last, observed.length);
    }
    return bridged;
  }

  /** Fills the gap between two observations, of which one may lie outside the array. */
  private static void bridge(double[] values, int before, int after) {
    boolean opens = before < 0;
    boolean closes = after == values.length;
    double from = values[opens ? after : before];
    double slope = opens || closes ? 0 : (values[after] - from) / (after - before);
    for (int i = before + 1; i < after; i++) {
      values[i] = slope * (i - before) + from;
    }
  }
}
