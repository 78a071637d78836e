package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;

import java.util.SplittableRandom;

/** Demand of a service that people use from nine to five, but not on Sundays. */
final class Mornings {
  /** Demand rises from 20 to 100 within so many minutes. */
  static final int RAMP = 30;

  private Mornings() {}

  /** By the minute, from a Monday on, with noise of about 1. */
  static double[] values(int days, int ramp) {
    var random = new SplittableRandom(4);
    double[] values = new double[days * DAY];
    for (int i = 0; i < values.length; i++) {
      double rising = (i % DAY - 9 * 60) / (double) ramp;
      double falling = (17 * 60 - i % DAY) / (double) ramp;
      double share = i / DAY % 7 == 6 ? 0 : Math.clamp(Math.min(rising, falling), 0, 1);
      values[i] = 20 + 80 * share + random.nextGaussian();
    }
    return values;
  }
}
