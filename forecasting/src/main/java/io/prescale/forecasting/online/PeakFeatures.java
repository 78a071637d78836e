package io.prescale.forecasting.online;

import io.prescale.forecasting.RobustScale;
import java.util.Arrays;

/**
 * The features of a forecaster of the highest demand in {@code [t + lead, t + lead + window)}:
 * recent values and their statistics, the same time on earlier days and weeks and one season ago,
 * and the calendar. All are known before step t. Recent values are actual ones; those of earlier
 * days are ordinary ones, so that a short declared event has no echo.
 */
final class PeakFeatures {
  private static final int[] LAG_MINUTES = {1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180};
  private static final int[] MEAN_MINUTES = {3, 5, 10, 15, 30, 60, 180};
  private static final int[] MAX_MINUTES = {5, 10, 15, 30, 60, 120, 240};
  private static final int[] MIN_MINUTES = {5, 15, 60};
  private static final int[] DEVIATION_MINUTES = {10, 30, 60};
  private static final int DAYS = 7;

  /** How many features, the last, are no demand but the calendar's. */
  static final int OF_THE_CALENDAR = 3;

  private final int lead;
  private final int window;
  private final int[] seasonSteps;
  private final double stepMinutes;
  private final int aQuarter;
  private final int tenMinutes;

  /**
   * @param lead steps from t to the window's beginning
   * @param window length of the window in steps
   * @param seasonSteps the lengths of further seasons besides day and week
   */
  PeakFeatures(DemandHistory history, int lead, int window, int[] seasonSteps) {
    this.lead = lead;
    this.window = window;
    this.stepMinutes = history.step().toMillis() / 60_000.0;
    if (Arrays.stream(seasonSteps).anyMatch(steps -> steps < 1)) {
      throw new IllegalArgumentException("holds no seasons: " + Arrays.toString(seasonSteps));
    }
    this.seasonSteps = seasonSteps.clone();
    this.aQuarter = steps(15);
    this.tenMinutes = steps(10);
  }

  int[] seasonSteps() {
    return seasonSteps.clone();
  }

  private int steps(int minutes) {
    return (int) Math.max(1, Math.round(minutes / stepMinutes));
  }

  /** The highest ordinary demand in t's window; NaN when too little of it is known. */
  double target(DemandHistory history, int t) {
    return t + lead + window > history.size()
        ? Double.NaN
        : history.ordinaryPeak(t + lead, t + lead + window);
  }

  /**
   * How far demand moved, a day or a week before, from the ten minutes before t to t's window: the
   * larger of both, 0 where neither is known.
   */
  double earlierMove(DemandHistory history, int t) {
    double largest = 0;
    for (int days : new int[] {1, DAYS}) {
      int then = t - history.clock().lagSteps(t, days);
      double peak = history.ordinaryMax(then + lead, Math.min(t, then + lead + window));
      double move = Math.abs(peak - history.ordinaryMean(then - tenMinutes, then));
      largest = move > largest ? move : largest;
    }
    return largest;
  }

  /** The features at step t, NaN where unknown. O(steps in four hours). */
  double[] at(DemandHistory history, int t) {
    var row = new FeatureRow(64 + 2 * seasonSteps.length);
    recent(history, t, row);
    yesterdayAndLastWeek(history, t, row);
    earlierDays(history, t, row);
    for (int period : seasonSteps) {
      int then = t - period * Math.ceilDiv(lead + window, period);
      row.add(history.ordinaryMax(then + lead, then + lead + window));
      row.add(history.ordinaryMean(then - tenMinutes, then));
    }
    row.add(history.clock().secondOfDay(t) / 60.0);
    row.add(history.clock().secondOfDay(t) / 60.0 % 60);
    row.add(history.clock().dayOfWeek(t).getValue());
    return row.values();
  }

  private void recent(DemandHistory history, int t, FeatureRow row) {
    for (int minutes : LAG_MINUTES) {
      row.add(history.actual(t - steps(minutes)));
    }
    for (int minutes : MEAN_MINUTES) {
      row.add(history.mean(t - steps(minutes), t));
    }
    for (int minutes : MAX_MINUTES) {
      row.add(history.max(t - steps(minutes), t));
    }
    for (int minutes : MIN_MINUTES) {
      row.add(history.min(t - steps(minutes), t));
    }
    for (int minutes : DEVIATION_MINUTES) {
      row.add(history.deviation(t - steps(minutes), t));
    }
  }

  private void yesterdayAndLastWeek(DemandHistory history, int t, FeatureRow row) {
    int yesterday = t - history.clock().lagSteps(t, 1) + lead;
    int lastWeek = t - history.clock().lagSteps(t, DAYS) + lead;
    int end = Math.min(t, yesterday + window);
    int endAround = Math.min(t, yesterday + window + aQuarter);
    row.add(history.ordinaryMax(yesterday, end));
    row.add(history.ordinaryMax(lastWeek, lastWeek + window));
    row.add(history.ordinaryMean(yesterday, end));
    row.add(history.ordinaryMax(yesterday - aQuarter, endAround));
    row.add(history.ordinaryMin(yesterday - aQuarter, endAround));
    row.add(history.ordinaryMean(yesterday - aQuarter, endAround));
    row.add(history.ordinaryMean(lastWeek - aQuarter, lastWeek + window + aQuarter));
    row.add(history.ordinaryMean(yesterday - lead - aQuarter, yesterday - lead));
  }

  /** Statistics over the same time on each of the last days. */
  private void earlierDays(DemandHistory history, int t, FeatureRow row) {
    var peaks = new DayStatistics();
    var nows = new DayStatistics();
    var around = new DayStatistics();
    double[] lastThree = {Double.NaN, Double.NaN, Double.NaN};
    for (int day = 1; day <= DAYS; day++) {
      int then = t - history.clock().lagSteps(t, day);
      if (then + lead <= history.oldest()) {
        break;
      }
      double peak = history.ordinaryMax(then + lead, Math.min(t, then + lead + window));
      peaks.add(peak);
      nows.add(history.ordinaryMean(then - tenMinutes, then));
      int aroundEnd = Math.min(t, then + lead + window + aQuarter);
      around.add(history.ordinaryMean(then + lead - aQuarter, aroundEnd));
      if (day <= lastThree.length) {
        lastThree[day - 1] = peak;
      }
    }
    row.add(peaks.max);
    row.add(peaks.mean());
    row.add(peaks.min);
    row.add(RobustScale.median(lastThree));
    row.add(nows.mean());
    row.add(around.mean());
  }

  /** Mean and extremes of the known numbers, one per day. */
  private static final class DayStatistics {
    private double sum;
    private int count;
    private double max = Double.NaN;
    private double min = Double.NaN;

    void add(double value) {
      if (!Double.isNaN(value)) {
        sum += value;
        count++;
        max = count == 1 ? value : Math.max(max, value);
        min = count == 1 ? value : Math.min(min, value);
      }
    }

    double mean() {
      return count == 0 ? Double.NaN : sum / count;
    }
  }
}
