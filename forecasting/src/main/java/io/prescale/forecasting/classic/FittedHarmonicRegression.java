package io.prescale.forecasting.classic;

import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.Season;
import java.util.Arrays;
import java.util.List;

/** A fitted harmonic regression: a curve, the drift from it, and the last residuals. */
final class FittedHarmonicRegression implements FittedForecaster {
  private final HarmonicCurve curve;
  private final List<Season> seasons;
  private final DriftingLevel drift;
  private final Autoregression errors;
  private final LocalClock clock;

  /** Residuals of the curve, the newest last; a missing one is replaced by its forecast. */
  private final double[] last;

  private int next;

  FittedHarmonicRegression(
      HarmonicCurve curve,
      List<Season> seasons,
      DriftingLevel drift,
      Autoregression errors,
      LocalClock clock) {
    this.curve = curve;
    this.seasons = seasons;
    this.drift = drift;
    this.errors = errors;
    this.clock = clock;
    this.last = new double[errors.order()];
  }

  /** Takes in the last residuals of the history; the drift has already observed them. */
  void recall(double[] residuals) {
    Arrays.fill(last, drift.level());
    for (int i = Math.max(0, residuals.length - 2 * last.length); i < residuals.length; i++) {
      remember(Double.isNaN(residuals[i]) ? expectedResidual() : residuals[i]);
    }
  }

  private void remember(double residual) {
    if (last.length > 0) {
      System.arraycopy(last, 1, last, 0, last.length - 1);
      last[last.length - 1] = residual;
    }
  }

  private double expectedResidual() {
    return drift.level() + errors.next(last, last.length, drift.level());
  }

  @Override
  public void observe(double observed) {
    double value = Plausible.orMissing(observed);
    double residual = value - curve.at(next + 1, clock.phases(next, 1, seasons), 0);
    remember(Double.isNaN(residual) ? expectedResidual() : residual);
    drift.observe(residual);
    next++;
  }

  @Override
  public double[] path(int steps) {
    var phases = clock.phases(next, steps, seasons);
    var corrections = corrections(steps);
    var path = new double[steps];
    for (int h = 0; h < steps; h++) {
      path[h] = curve.at(next + 1 + h, phases, h) + drift.level() + corrections[h];
    }
    return path;
  }

  /** What the autoregression adds to curve and drift at each of the next steps. */
  private double[] corrections(int steps) {
    int order = last.length;
    var residuals = Arrays.copyOf(last, order + steps);
    for (int h = 0; h < steps; h++) {
      double correction = errors.next(residuals, order + h, drift.level());
      residuals[order + h] = drift.level() + correction;
    }
    var corrections = Arrays.copyOfRange(residuals, order, order + steps);
    for (int h = 0; h < steps; h++) {
      corrections[h] -= drift.level();
    }
    return corrections;
  }
}
