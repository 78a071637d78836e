package io.prescale.forecasting.classic;

import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.Parts;
import io.prescale.forecasting.Season;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Parameters and state of a Holt–Winters model, and the variance of its errors. */
final class FittedHoltWinters implements FittedForecaster {
  /** The error variance is averaged over about this many steps. */
  private static final double VARIANCE_MEMORY = 2000;

  /** Larger errors count as this many times the usual one, so that an outlier cannot dominate. */
  private static final double LARGEST_ERROR = 10;

  private final Smoothing smoothing;
  private final SmoothedState state;
  private final ShiftDetector shifts;
  private final List<Season> seasons;
  private final Duration step;
  private final LocalClock clock;
  private int next;
  private double variance;
  private int errors;

  FittedHoltWinters(
      Smoothing smoothing,
      SmoothedState state,
      ShiftDetector shifts,
      List<Season> seasons,
      Instant start,
      Duration step,
      ZoneId zone) {
    this.smoothing = smoothing;
    this.state = state;
    this.shifts = shifts;
    this.seasons = seasons;
    this.step = step;
    this.clock = new LocalClock(start, step, zone);
  }

  @Override
  public void observe(double observed) {
    double value = Plausible.orMissing(observed);
    double error = state.observe(smoothing, value, clock.phases(next, 1, seasons), 0);
    state.shift(shifts.observe(error));
    learnVariance(error);
    next++;
  }

  /** Takes in errors of earlier forecasts. */
  void learnVariance(double[] errors) {
    for (double error : errors) {
      learnVariance(error);
    }
  }

  private void learnVariance(double error) {
    if (!Double.isNaN(error)) {
      errors++;
      double largest = LARGEST_ERROR * state.scale();
      double square = Math.min(error * error, largest * largest);
      variance += (square - variance) / Math.min(errors, VARIANCE_MEMORY);
    }
  }

  @Override
  public double[] path(int steps) {
    var phases = clock.phases(next, steps, seasons);
    var path = new double[steps];
    double level = state.level();
    double trend = state.trend();
    for (int h = 0; h < steps; h++) {
      trend *= smoothing.phi();
      level += trend;
      path[h] = level + state.seasonal(phases, h);
    }
    return path;
  }

  /**
   * The forecast variance of ETS(A,Ad,A) (FPP3 §8.7): sigma^2 (1 + sum of c_j^2) with c_j = alpha +
   * beta (phi + ... + phi^j), plus gamma where j is a whole number of periods; between its knots, a
   * season carries over in part.
   */
  @Override
  public double[] spread(int steps) {
    var spread = new double[steps];
    double sum = 1;
    double trends = 0;
    double power = 1;
    for (int h = 0; h < steps; h++) {
      spread[h] = Math.sqrt(variance * sum);
      power *= smoothing.phi();
      trends += power;
      double carried = smoothing.alpha() + smoothing.beta() * trends;
      for (int s = 0; s < seasons.size(); s++) {
        carried += smoothing.gamma(s) * seasonalOverlap(h + 1, s);
      }
      sum += carried * carried;
    }
    return spread;
  }

  private double seasonalOverlap(int steps, int season) {
    double cycles = steps * (double) step.toMillis() / seasons.get(season).period().toMillis();
    double knots = Math.abs(cycles - Math.rint(cycles)) * state.profile(season).size();
    return Math.max(0, 1 - knots);
  }

  @Override
  public Parts parts(int stepsAhead) {
    var seasonal = new ArrayList<Parts.Seasonal>();
    for (int s = 0; s < seasons.size(); s++) {
      double phase = clock.phase(next + stepsAhead - 1, seasons.get(s));
      seasonal.add(new Parts.Seasonal(seasons.get(s), state.profile(s).at(phase)));
    }
    double trend = smoothing.damped(stepsAhead) * state.trend();
    return new Parts(state.level(), trend, seasonal, 0);
  }
}
