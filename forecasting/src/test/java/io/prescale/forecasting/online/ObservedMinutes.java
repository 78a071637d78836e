package io.prescale.forecasting.online;

import io.prescale.forecasting.SyntheticSeries;

/** Observations for tests of saved states. */
final class ObservedMinutes {
  private ObservedMinutes() {}

  /** Noisy workdays with a gap every fifty minutes, in the single precision of a saved state. */
  static double[] of(int minutes) {
    double[] values =
        SyntheticSeries.minutes(minutes)
            .plus(100)
            .plus(SyntheticSeries.workday(150))
            .noise(8, 0.7, 1)
            .build()
            .toArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 50 == 49 ? Double.NaN : (float) values[i];
    }
    return values;
  }
}
