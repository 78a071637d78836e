package io.prescale.forecasting.classic;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.TimeSeries;
import java.util.Optional;

/** The input that a forecaster accepts, so that its arithmetic stays finite. */
final class Plausible {
  /** Squares of larger values, and sums of these, would not fit a double. */
  private static final double LARGEST = 1e100;

  private Plausible() {}

  /** Refuses a history with too few values, or with one that is too large; O(n). */
  static Optional<Fit> refusal(TimeSeries history, int fewestValues) {
    int present = history.presentCount();
    if (present < fewestValues) {
      return Optional.of(
          new Fit.Refused("needs %d values, has %d".formatted(fewestValues, present)));
    }
    for (int i = 0; i < history.size(); i++) {
      if (Math.abs(history.value(i)) > LARGEST) {
        return Optional.of(
            new Fit.Refused("has the value %s at %s".formatted(history.value(i), history.time(i))));
      }
    }
    return Optional.empty();
  }

  /** The value, or NaN for one that is too large to be real. */
  static double orMissing(double value) {
    return Math.abs(value) > LARGEST ? Double.NaN : value;
  }
}
