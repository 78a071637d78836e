package io.prescale.forecasting.classic;

import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.Season;
import java.util.List;

/** The smoothed level and drift of the deseasonalised series, and its season. */
final class FittedTheta implements FittedForecaster {
  private final DriftingSmoothing smoothing;
  private final ClassicalDecomposition decomposition;
  private final List<Season> seasons;
  private final LocalClock clock;
  private int next;

  /**
   * @param seasons the season of the decomposition, or none
   * @param clock whose step 0 is observed next
   */
  FittedTheta(
      DriftingSmoothing smoothing,
      ClassicalDecomposition decomposition,
      List<Season> seasons,
      LocalClock clock) {
    this.smoothing = smoothing;
    this.decomposition = decomposition;
    this.seasons = seasons;
    this.clock = clock;
  }

  @Override
  public void observe(double observed) {
    smoothing.observe(decomposition.without(Plausible.orMissing(observed), phase(next)));
    next++;
  }

  private double phase(int i) {
    return seasons.isEmpty() ? 0 : clock.phase(i, seasons.getFirst());
  }

  @Override
  public double[] path(int steps) {
    var path = new double[steps];
    for (int h = 0; h < steps; h++) {
      double value = smoothing.level() + smoothing.trend(h + 1);
      path[h] = decomposition.with(value, phase(next + h));
    }
    return path;
  }
}
