package io.prescale.forecasting;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * Series made of known parts: a level, patterns and seeded noise. All patterns take a step's index.
 */
public final class SyntheticSeries {
  public static final Instant START = Instant.parse("2021-06-07T00:00:00Z"); // a Monday
  public static final Duration MINUTE = Duration.ofMinutes(1);
  public static final int DAY = 1440;
  public static final int WEEK = 7 * DAY;

  private final Duration step;
  private final double[] values;

  private SyntheticSeries(Duration step, int size) {
    this.step = step;
    this.values = new double[size];
  }

  public static SyntheticSeries minutes(int size) {
    return new SyntheticSeries(MINUTE, size);
  }

  public static SyntheticSeries steps(Duration step, int size) {
    return new SyntheticSeries(step, size);
  }

  public SyntheticSeries plus(IntToDoubleFunction pattern) {
    for (int i = 0; i < values.length; i++) {
      values[i] += pattern.applyAsDouble(i);
    }
    return this;
  }

  public SyntheticSeries plus(double level) {
    return plus(i -> level);
  }

  public SyntheticSeries missing(int from, int to) {
    return plus(i -> i >= from && i < to ? Double.NaN : 0);
  }

  /**
   * Stationary autoregressive noise of unit variance: white for {@code coefficient} 0; for 1 a
   * random walk with unit steps.
   */
  public SyntheticSeries noise(double scale, double coefficient, long seed) {
    var random = new Random(seed);
    double innovation = coefficient < 1 ? Math.sqrt(1 - coefficient * coefficient) : 1;
    double state = coefficient < 1 ? random.nextGaussian() : 0;
    for (int i = 0; i < values.length; i++) {
      values[i] += scale * state;
      state = coefficient * state + innovation * random.nextGaussian();
    }
    return this;
  }

  public TimeSeries build() {
    return TimeSeries.of(START, step, values);
  }

  public static IntToDoubleFunction sine(double period, double amplitude) {
    return i -> amplitude * Math.sin(2 * Math.PI * i / period);
  }

  /** High for the first {@code width} steps of each period. */
  public static IntToDoubleFunction pulse(int period, int width, double height) {
    return i -> i % period < width ? height : 0;
  }

  /** People's demand over a day of minutes: low at night, a broad noon and a narrow evening. */
  public static IntToDoubleFunction workday(double height) {
    return i -> {
      double hour = i % DAY / 60.0;
      double noon = Math.exp(-Math.pow((hour - 13) / 4, 2));
      double evening = Math.exp(-Math.pow((hour - 20) / 1.5, 2));
      return height * (noon + 0.6 * evening);
    };
  }

  /** Lower by {@code drop} on the sixth and seventh day of each week of minutes. */
  public static IntToDoubleFunction weekend(double drop) {
    return i -> i % WEEK >= 5 * DAY ? -drop : 0;
  }
}
