package io.prescale.forecasting.online;

import io.prescale.forecasting.boosting.QuantileBoosting;
import io.prescale.forecasting.boosting.QuantileTrees;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * Two boosted quantile models of the highest demand in a window, fitted to its rise above an
 * anchor: the last value, or the recent maximum. Differences let trees extrapolate to new levels;
 * the two anchors err differently, so their mean is better than either.
 */
record AnchoredTrees(QuantileTrees aboveLast, QuantileTrees aboveRecentMax) {
  static final double[] LEVELS = {0.5, 0.8, 0.95};

  /** The anchors at a step; NaN where nothing recent is known. */
  record Anchors(double last, double recentMax) {
    private static final Duration RECENT = Duration.ofMinutes(10);

    static Anchors of(DemandHistory history, int t) {
      int recent = history.steps(RECENT);
      return new Anchors(history.newest(t, recent), history.max(t - recent, t));
    }

    boolean areKnown() {
      return !Double.isNaN(last) && !Double.isNaN(recentMax);
    }

    /** How far a peak rises above each, in a unit of demand. */
    double[] rises(double peak, double unit) {
      return new double[] {(peak - last) / unit, (peak - recentMax) / unit};
    }
  }

  /**
   * Fits both.
   *
   * @param rows whose targets are {@link Anchors#rises}
   * @param parallel whether each may have a processor
   */
  static AnchoredTrees fit(
      TrainingRows rows, QuantileBoosting.Settings settings, boolean parallel) {
    var columns = rows.columns();
    var both = IntStream.range(0, 2);
    QuantileTrees[] trees =
        (parallel ? both.parallel() : both)
            .mapToObj(m -> QuantileBoosting.fit(columns, rows.target(m), LEVELS, settings))
            .toArray(QuantileTrees[]::new);
    return new AnchoredTrees(trees[0], trees[1]);
  }

  /** Quantiles at {@link #LEVELS} by each, where rises were fitted in this unit. */
  double[][] quantiles(double[] row, Anchors anchors, double unit) {
    return new double[][] {
      above(anchors.last(), aboveLast.predict(row), unit),
      above(anchors.recentMax(), aboveRecentMax.predict(row), unit)
    };
  }

  private static double[] above(double anchor, double[] rises, double unit) {
    for (int q = 0; q < rises.length; q++) {
      rises[q] = anchor + unit * rises[q];
    }
    return rises;
  }
}
