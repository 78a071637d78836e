package io.prescale.forecasting.classic;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.RobustScale;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;

/**
 * Dynamic harmonic regression with autoregressive errors (FPP3 §10.5 and §12.1): a line and Fourier
 * terms for each season by least squares, their number by AICc; a level that follows lasting
 * deviations from the regression; and an autoregression of the rest.
 *
 * <p>Seasons that the history covers less than twice are left out. A missing value adds no row to
 * the regression and interrupts the autoregression; a missing observation is replaced by its
 * forecast. Refuses fewer than 30 values, and less than a day without a season.
 *
 * <p>Cost: for the newest four weeks of minutes, or as many steps, O(columns^2) for each of a few
 * thousand rows and O(order) for each step to fit; O(order) to observe; O(steps * order) for a
 * path.
 *
 * @param zone whose local time the days and weeks follow
 */
public record HarmonicRegression(ZoneId zone) implements Forecaster {
  private static final int MOST_SEASONS = 4;
  private static final int HIGHEST_ORDER = 30;

  private static final int FEWEST_VALUES = 30;

  /** On a shorter history, a morning's rise would be forecast to return to a constant. */
  private static final Duration SHORTEST_WITHOUT_SEASON = Duration.ofDays(1);

  /** A line through a shorter history would fit the slope of the daily cycle, not the trend. */
  private static final Duration SHORTEST_LINE = Duration.ofDays(2);

  /** Residuals are clipped at this many robust standard deviations for the autoregression. */
  private static final double CLIP = 6;

  @Override
  public Fit fit(TimeSeries history, List<Season> seasons) {
    var used = UsableSeasons.of(history, seasons, MOST_SEASONS);
    if (used.isEmpty() && covered(history).compareTo(SHORTEST_WITHOUT_SEASON) < 0) {
      return new Fit.Refused("needs a day of history, or two cycles of a season");
    }
    return Plausible.refusal(history, FEWEST_VALUES)
        .orElseGet(() -> fitted(RecentHistory.of(history, used), used));
  }

  private Fit fitted(TimeSeries recent, List<Season> used) {
    var length = covered(recent);
    var terms = FourierTerms.of(used, recent.step(), length);
    boolean mayHaveLine = length.compareTo(SHORTEST_LINE) >= 0;
    var curve = new HarmonicDesign(recent, terms, zone).fit(mayHaveLine);

    var residuals = residuals(recent, used, curve);
    var drift = DriftingLevel.fit(residuals, recent.step());
    var errors = Autoregression.fit(clipped(withoutDrift(residuals, drift)), HIGHEST_ORDER);
    var clock = new LocalClock(recent.end(), recent.step(), zone);
    var model = new FittedHarmonicRegression(curve, used, drift, errors, clock);
    model.recall(residuals);
    return new Fit.Fitted(model);
  }

  private static Duration covered(TimeSeries history) {
    return Duration.between(history.start(), history.end());
  }

  private double[] residuals(TimeSeries history, List<Season> seasons, HarmonicCurve curve) {
    var residuals = history.toArray();
    var phases = LocalClock.of(history, zone).phases(0, residuals.length, seasons);
    for (int i = 0; i < residuals.length; i++) {
      residuals[i] -= curve.at(i - (residuals.length - 1), phases, i);
    }
    return residuals;
  }

  /** The residuals without the drift, which observes them all on the way. */
  private static double[] withoutDrift(double[] residuals, DriftingLevel drift) {
    var errors = new double[residuals.length];
    for (int i = 0; i < errors.length; i++) {
      errors[i] = residuals[i] - drift.level();
      drift.observe(residuals[i]);
    }
    return errors;
  }

  private static double[] clipped(double[] errors) {
    double limit = CLIP * RobustScale.of(errors);
    return limit > 0
        ? Arrays.stream(errors)
            .map(e -> Double.isNaN(e) ? e : Math.clamp(e, -limit, limit))
            .toArray()
        : errors;
  }
}
