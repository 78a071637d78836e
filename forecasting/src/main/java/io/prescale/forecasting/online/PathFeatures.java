package io.prescale.forecasting.online;

import java.time.Duration;

/**
 * The features of a forecaster of single steps, for origin t and horizon h: the horizon, the
 * calendar at t + h, recent levels, the same time on earlier days and weeks, and today's deviation
 * from them. All are known before step t.
 */
final class PathFeatures {
  private final DemandHistory history;
  private final PathReference reference;
  private final int day;
  private final int hour;
  private final int quarter;

  PathFeatures(DemandHistory history, PathReference reference) {
    this.history = history;
    this.reference = reference;
    this.day = history.steps(Duration.ofDays(1));
    this.hour = history.steps(Duration.ofHours(1));
    this.quarter = history.steps(Duration.ofMinutes(15));
  }

  double[] at(int t, int h) {
    int u = t + h;
    var row = new FeatureRow(36);
    row.add(h);
    row.add(history.clock().secondOfDay(u) / 60.0);
    row.add(history.clock().dayOfWeek(u).getValue());
    double now = history.mean(t - quarter, t);
    double hourly = history.mean(t - hour, t);
    row.add(history.actual(t - 1));
    row.add(now);
    row.add(hourly);
    row.add(history.mean(t - 3 * hour, t));
    double today = history.mean(t - day, t);
    double dayBefore = history.mean(t - 2 * day, t - day);
    row.add(today);
    row.add(dayBefore);
    row.add(today - dayBefore);
    yesterdayAndLastWeek(row, t, u);
    deviations(row, t, u, now, hourly);
    extremes(row, t, u);
    row.add(history.deviation(t - hour, t));
    row.add(history.max(t - day, t));
    row.add(reference.seasonMedian(t, u));
    return row.values();
  }

  private void yesterdayAndLastWeek(FeatureRow row, int t, int u) {
    int yesterday = u - history.clock().lagSteps(u, 1);
    int lastWeek = u - history.clock().lagSteps(u, 7);
    int half = hour / 2;
    row.add(yesterday < t ? history.ordinary(yesterday) : Double.NaN);
    row.add(history.ordinaryMean(yesterday - half, Math.min(t, yesterday + half + 1)));
    row.add(history.ordinaryMean(yesterday - 3 * half, Math.min(t, yesterday + 3 * half + 1)));
    row.add(lastWeek < t ? history.ordinary(lastWeek) : Double.NaN);
    row.add(history.ordinaryMean(lastWeek - half, Math.min(t, lastWeek + half + 1)));
    row.add(
        yesterday < t
            ? history.ordinary(yesterday) - history.ordinaryMean(yesterday - hour, yesterday)
            : Double.NaN);
  }

  private void deviations(FeatureRow row, int t, int u, double now, double hourly) {
    double season = reference.seasonMean(t, u, 2, 3);
    double seasonNow = reference.seasonMean(t, t, quarter, 0);
    row.add(season);
    row.add(reference.seasonMean(t, u, hour, hour + 1));
    row.add(now - seasonNow);
    row.add(hourly - reference.seasonMean(t, t, hour, 0));
    row.add(season - seasonNow);
    int yesterday = t - history.clock().lagSteps(t, 1);
    int lastWeek = t - history.clock().lagSteps(t, 7);
    row.add(now - history.ordinaryMean(yesterday - quarter, yesterday));
    row.add(hourly - history.ordinaryMean(lastWeek - hour, lastWeek));
  }

  private void extremes(FeatureRow row, int t, int u) {
    double max = Double.NaN;
    double min = Double.NaN;
    for (int d = 1; d <= 7; d++) {
      int then = u - history.clock().lagSteps(u, d);
      double value = then < t ? history.ordinary(then) : Double.NaN;
      if (!Double.isNaN(value)) {
        max = Double.isNaN(max) ? value : Math.max(max, value);
        min = Double.isNaN(min) ? value : Math.min(min, value);
      }
    }
    row.add(max);
    row.add(min);
  }
}
