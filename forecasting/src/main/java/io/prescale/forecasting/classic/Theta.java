package io.prescale.forecasting.classic;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/**
 * The Theta method (Assimakopoulos and Nikolopoulos 2000, International Journal of Forecasting 16):
 * the strongest season is removed by a classical decomposition, multiplicative where the values
 * allow it; the rest is forecast by simple exponential smoothing with half the slope of its
 * regression line as drift, to which the method is equivalent (Hyndman and Billah 2003, ibid. 19);
 * and the season is added again. The indices are not smoothed, so an event at 9:00 sharp stays at
 * 9:00.
 *
 * <p>A season that the history covers less than twice is left out; the caller ensures that a season
 * is significant. A history of less than two days gets no drift. A missing value changes nothing.
 * Refuses fewer than ten values.
 *
 * <p>Cost: about 45 passes over the newest four weeks of minutes, or as many steps, to fit; O(1) to
 * observe; O(steps) for a path; keeps one index for each step of the season.
 *
 * @param zone whose local time the days and weeks follow
 */
public record Theta(ZoneId zone) implements Forecaster {
  /** Two weeks of minutes, the longest season. */
  private static final int MOST_INDICES = 14 * 1440;

  private static final int FEWEST_VALUES = 10;

  /** A line through a shorter history would fit the slope of the daily cycle, not the trend. */
  private static final Duration SHORTEST_LINE = Duration.ofDays(2);

  /** Whether a fit would have a season. */
  public static boolean usesSeason(TimeSeries history, List<Season> seasons) {
    return !used(history, seasons).isEmpty();
  }

  private static List<Season> used(TimeSeries history, List<Season> seasons) {
    return UsableSeasons.of(history, seasons, 1);
  }

  @Override
  public Fit fit(TimeSeries history, List<Season> seasons) {
    var used = used(history, seasons);
    return Plausible.refusal(history, FEWEST_VALUES)
        .orElseGet(() -> fitted(RecentHistory.of(history, used), used));
  }

  private Fit fitted(TimeSeries history, List<Season> seasons) {
    var values = history.toArray();
    var decomposition = ClassicalDecomposition.none();
    if (!seasons.isEmpty()) {
      var season = seasons.getFirst();
      var phases = LocalClock.of(history, zone).phases(0, values.length, season);
      double steps = (double) season.period().toMillis() / history.step().toMillis();
      int period = (int) Math.max(2, Math.round(steps));
      decomposition =
          ClassicalDecomposition.of(values, phases, period, Math.min(period, MOST_INDICES));
      for (int i = 0; i < values.length; i++) {
        values[i] = decomposition.without(values[i], phases[i]);
      }
    }
    boolean hasDrift =
        Duration.between(history.start(), history.end()).compareTo(SHORTEST_LINE) >= 0;
    double drift = hasDrift ? slope(values) / 2 : 0;
    var smoothing = new DriftingSmoothing(DriftingSmoothing.bestAlpha(values), drift);
    for (double value : values) {
      smoothing.observe(value);
    }
    return new Fit.Fitted(
        new FittedTheta(
            smoothing,
            decomposition,
            seasons,
            new LocalClock(history.end(), history.step(), zone)));
  }

  /** The least-squares slope over the known values, per step. */
  private static double slope(double[] values) {
    double meanStep = 0;
    double meanValue = 0;
    double crossed = 0;
    double squared = 0;
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        count++;
        double fromMean = i - meanStep;
        meanStep += fromMean / count;
        meanValue += (values[i] - meanValue) / count;
        crossed += fromMean * (values[i] - meanValue);
        squared += fromMean * (i - meanStep);
      }
    }
    return squared > 0 ? crossed / squared : 0;
  }
}
