package io.prescale.forecasting.online;

import java.time.Duration;

/**
 * The features of a forecaster of the next half hour: the last two hours at the observed step,
 * relative to the newest value, and the same minutes on earlier days.
 */
final class NearFeatures {
  private static final int[] LAGS = {2, 3, 4, 5, 7, 10, 15, 20, 30, 45, 60, 90};
  private static final int[] MEANS = {3, 5, 10, 15, 30, 60, 120};

  private final DemandHistory fine;
  private final DemandHistory coarse;
  private final PathReference reference;
  private final int ratio;

  /**
   * @param ratio number of fine steps in a coarse one
   */
  NearFeatures(DemandHistory fine, DemandHistory coarse, PathReference reference, int ratio) {
    this.fine = fine;
    this.coarse = coarse;
    this.reference = reference;
    this.ratio = ratio;
  }

  /** The newest fine value before coarse step t, within ten minutes; NaN when there is none. */
  double newest(int t) {
    return fine.newest(t * ratio, minutes(10));
  }

  double[] at(int t, int h) {
    int end = t * ratio;
    double newest = newest(t);
    var row = new FeatureRow(48);
    row.add(h);
    row.add(newest);
    for (int minutes : LAGS) {
      row.add(fine.actual(end - minutes(minutes)) - newest);
    }
    for (int minutes : MEANS) {
      row.add(fine.mean(end - minutes(minutes), end) - newest);
    }
    row.add(fine.deviation(end - minutes(15), end));
    row.add(fine.deviation(end - minutes(60), end));
    row.add(fine.max(end - minutes(30), end));
    row.add(fine.min(end - minutes(30), end));
    earlierDays(row, t, h, newest);
    return row.values();
  }

  private int minutes(int minutes) {
    return fine.steps(Duration.ofMinutes(minutes));
  }

  private void earlierDays(FeatureRow row, int t, int h, double newest) {
    int u = t + h;
    double now = coarse.actual(t - 1);
    for (int days : new int[] {1, 7}) {
      int then = u - coarse.clock().lagSteps(u, days);
      int thenNow = t - coarse.clock().lagSteps(t, days) - 1;
      row.add(then < t ? coarse.ordinary(then) - coarse.ordinary(thenNow) : Double.NaN);
    }
    double season = reference.seasonMean(t, u, 0, 1);
    double wideNow = reference.seasonMean(t, t, 3, 0);
    row.add(season - reference.seasonMean(t, t, 1, 0));
    row.add(reference.seasonMean(t, u, 2, 3) - wideNow);
    row.add(now - wideNow);
    row.add(season);
    row.add(now);
    row.add(now - coarse.ordinary(t - coarse.clock().lagSteps(t, 1) - 1));
    row.add(season - newest);
    row.add(coarse.clock().secondOfDay(u) / 60.0);
    row.add(coarse.clock().secondOfDay(u) / 60.0 % 60);
  }
}
