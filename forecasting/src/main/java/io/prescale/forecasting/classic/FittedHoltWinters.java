package io.prescale.forecasting.classic;

import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.Season;
import java.util.List;

/** Parameters and state of a Holt–Winters model. */
final class FittedHoltWinters implements FittedForecaster {
  private final Smoothing smoothing;
  private final SmoothedState state;
  private final ShiftDetector shifts;
  private final List<Season> seasons;
  private final LocalClock clock;
  private int next;

  /**
   * @param clock whose step 0 is observed next
   */
  FittedHoltWinters(
      Smoothing smoothing,
      SmoothedState state,
      ShiftDetector shifts,
      List<Season> seasons,
      LocalClock clock) {
    this.smoothing = smoothing;
    this.state = state;
    this.shifts = shifts;
    this.seasons = seasons;
    this.clock = clock;
  }

  @Override
  public void observe(double observed) {
    double value = Plausible.orMissing(observed);
    double error = state.observe(smoothing, value, clock.phases(next, 1, seasons), 0);
    state.shift(shifts.observe(error));
    next++;
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
}
