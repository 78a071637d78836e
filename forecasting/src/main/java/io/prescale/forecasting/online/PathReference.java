package io.prescale.forecasting.online;

import io.prescale.forecasting.RobustScale;
import java.time.Duration;
import java.util.Arrays;

/**
 * Simple forecasts of the step {@code u = t + h} from the history before step t: references for the
 * models, and members of the combination themselves. All are NaN where too little is known.
 */
final class PathReference {
  private static final int DAYS = 7;
  private static final int WEEKS = 4;
  private static final double DEVIATION_FADES_OVER_HOURS = 3;
  private static final double NOISE_FADES_OVER_MINUTES = 15;
  private static final double LARGEST_RATIO = 2.5;

  private final DemandHistory history;
  private final int day;
  private final int hour;
  private final int halfHour;

  PathReference(DemandHistory history) {
    this.history = history;
    this.day = history.steps(Duration.ofDays(1));
    this.hour = history.steps(Duration.ofHours(1));
    this.halfHour = history.steps(Duration.ofMinutes(30));
  }

  /** Mean of the last half hour. */
  double now(int t) {
    return history.mean(t - halfHour, t);
  }

  /** The mean at the same time yesterday, two steps to both sides. */
  double yesterday(int t, int u) {
    int then = u - history.clock().lagSteps(u, 1);
    double mean = history.ordinaryMean(then - 2, Math.min(t, then + 3));
    return Double.isNaN(mean) ? now(t) : mean;
  }

  /**
   * The mean at the same time over the last seven days, from {@code before} steps earlier to {@code
   * after} steps later.
   */
  double seasonMean(int t, int u, int before, int after) {
    double sum = 0;
    int days = 0;
    for (double mean : meansByDay(t, u, before, after)) {
      if (!Double.isNaN(mean)) {
        sum += mean;
        days++;
      }
    }
    return days == 0 ? Double.NaN : sum / days;
  }

  private double[] meansByDay(int t, int u, int before, int after) {
    double[] means = new double[DAYS];
    Arrays.fill(means, Double.NaN);
    for (int d = 1; d <= DAYS; d++) {
      int then = u - history.clock().lagSteps(u, d);
      if (then - before < history.oldest()) {
        break;
      }
      if (then + after <= t) {
        means[d - 1] = history.ordinaryMean(then - before, then + after);
      }
    }
    return means;
  }

  /** The median at the same time over the last seven days, robust against one odd day. */
  double seasonMedian(int t, int u) {
    double median = RobustScale.median(meansByDay(t, u, 2, 3));
    return Double.isNaN(median) ? now(t) : median;
  }

  /** The seasonal median plus today's deviation from it, which fades with the horizon. */
  double seasonWithDeviation(int t, int u) {
    double deviation =
        now(t) - seasonMedian(t - halfHour, t - halfHour + Math.min(3, halfHour - 1));
    double known = Double.isNaN(deviation) ? 0 : deviation;
    return seasonMedian(t, u) + known * Math.exp(-(u - t) / (DEVIATION_FADES_OVER_HOURS * hour));
  }

  /** The seasonal mean plus the last day's difference in level from the averaged days. */
  double seasonAtTodaysLevel(int t, int u) {
    double season = seasonMean(t, u, 2, 3);
    double today = history.ordinaryMean(t - day, t);
    if (Double.isNaN(season) || Double.isNaN(today)) {
      return seasonMedian(t, u);
    }
    double sum = today;
    int days = 1;
    for (int d = 1; d <= DAYS && t - (d + 1) * day >= history.oldest(); d++) {
      double level = history.ordinaryMean(t - (d + 1) * day, t - d * day);
      if (!Double.isNaN(level)) {
        sum += level;
        days++;
      }
    }
    return season + today - sum / days;
  }

  /**
   * The mean at the same step of up to four past weeks, without smoothing: where a service repeats
   * itself week by week, so does this.
   */
  double pastWeeks(int t, int u) {
    double sum = 0;
    int weeks = 0;
    int later = u;
    for (int w = 1; w <= WEEKS; w++) {
      int then = u - history.clock().lagSteps(u, DAYS * w);
      // Of a day with a holiday a week before, the same day stands for both weeks.
      double value = then < t && then < later ? history.ordinary(then) : Double.NaN;
      later = then;
      if (!Double.isNaN(value)) {
        sum += value;
        weeks++;
      }
    }
    return weeks == 0 ? Double.NaN : sum / weeks;
  }

  /**
   * That mean plus how far the newest step is from its own, which fades within a quarter of an
   * hour: where a service repeats itself week by week, the noise of the last minutes goes on for a
   * while.
   */
  double pastWeeksWithDeviation(int t, int u) {
    double deviation = history.ordinary(t - 1) - pastWeeks(t - 1, t - 1);
    double known = Double.isNaN(deviation) ? 0 : deviation;
    return pastWeeks(t, u) + known * Math.exp(-(u - t) / (NOISE_FADES_OVER_MINUTES / 60 * hour));
  }

  /** The seasonal mean times today's current ratio to it: a multiplicative level, as in Theta. */
  double seasonTimesRatio(int t, int u) {
    double season = seasonMean(t, u, 2, 3);
    double then = seasonMean(t, t, halfHour, 0);
    double now = now(t);
    if (Double.isNaN(season) || !(then > 0) || !(now > 0)) {
      return seasonMedian(t, u);
    }
    return season * Math.clamp(now / then, 1 / LARGEST_RATIO, LARGEST_RATIO);
  }
}
