package io.prescale.forecasting.classic;

import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Parts;
import java.util.Arrays;
import java.util.List;

/** Remembers the last cycles, and the variance of their errors as forecasts. */
final class FittedSeasonalNaive implements FittedForecaster {
  /** The variance is averaged over a cycle, or over this many steps if that is more. */
  static final int VARIANCE_MEMORY = 2000;

  /** How far away, as part of a cycle, a value may replace a missing one: half an hour of a day. */
  private static final double NEAR = 1 / 48.0;

  private final SeasonalNaive options;
  private final SeasonalLag lag;

  /** A ring buffer: the value of step i is at i modulo the length. */
  private final double[] remembered;

  private final DriftingLevel drift;
  private int next;
  private double lastKnown;
  private double variance;
  private int deviations;

  /**
   * A model that observes step {@code first} next.
   *
   * @param lastKnown the last value before that; NaN if there is none
   */
  FittedSeasonalNaive(
      SeasonalNaive options, SeasonalLag lag, int first, double lastKnown, DriftingLevel drift) {
    this.options = options;
    this.lag = lag;
    this.drift = drift;
    this.next = first;
    this.lastKnown = lastKnown;
    this.remembered = new double[(options.cycles() + 1) * lag.longestSteps()];
    Arrays.fill(remembered, Double.NaN);
  }

  @Override
  public void observe(double observed) {
    double value = Plausible.orMissing(observed);
    double deviation = deviation(value);
    if (!Double.isNaN(deviation)) {
      deviations++;
      double error = deviation - correction(1);
      double memory = Math.max(VARIANCE_MEMORY, lag.meanSteps());
      variance += (error * error - variance) / Math.min(deviations, memory);
      drift.observe(deviation);
    }
    if (!Double.isNaN(value)) {
      lastKnown = value;
    }
    remembered[next % remembered.length] = value;
    next++;
  }

  /** The next value's difference from the mean of earlier cycles; NaN if either is missing. */
  private double deviation(double value) {
    return value - meanOfCycles(next, 1);
  }

  @Override
  public double[] path(int steps) {
    var path = new double[steps];
    for (int h = 0; h < steps; h++) {
      path[h] = seasonal(next + h) + correction(h + 1);
    }
    return path;
  }

  /** Fades over one cycle: after that, the repeated past already has the present level. */
  private double correction(int stepsAhead) {
    return options.followsLevel()
        ? drift.level() * Math.max(0, 1 - stepsAhead / lag.meanSteps())
        : 0;
  }

  /** The variance grows with the number of cycles ahead (FPP3 §5.5). */
  @Override
  public double[] spread(int steps) {
    var spread = new double[steps];
    for (int h = 0; h < steps; h++) {
      spread[h] = Math.sqrt(variance * cyclesBack(next + h));
    }
    return spread;
  }

  @Override
  public Parts parts(int stepsAhead) {
    int step = next + stepsAhead - 1;
    double level = meanOfLastCycle();
    var seasonal = new Parts.Seasonal(lag.season(), seasonal(step) - level);
    return new Parts(level, 0, List.of(seasonal), correction(stepsAhead));
  }

  private double meanOfLastCycle() {
    int from = Math.max(0, next - Math.max(1, (int) lag.meanSteps()));
    double sum = 0;
    int count = 0;
    for (int i = from; i < next; i++) {
      double value = remembered[i % remembered.length];
      if (!Double.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    return count > 0 ? sum / count : lastKnown;
  }

  /** The mean of earlier cycles; if missing, the nearest in time, or else the last known value. */
  private double seasonal(int step) {
    int cycles = cyclesBack(step);
    double mean = meanOfCycles(step, cycles);
    for (int away = 1; Double.isNaN(mean) && away <= NEAR * lag.meanSteps(); away++) {
      mean = meanOfCycles(step - away, cycles);
      mean = Double.isNaN(mean) ? meanOfCycles(step + away, cycles) : mean;
    }
    return Double.isNaN(mean) ? lastKnown : mean;
  }

  /** How many cycles back from a step the newest observed one lies. */
  private int cyclesBack(int step) {
    int back = Math.max(1, (int) ((step - next) / lag.meanSteps()));
    while (step - lag.steps(step, back) >= next) {
      back++;
    }
    return back;
  }

  /** Mean of the values present in the newest cycles, or else the value of the next earlier one. */
  private double meanOfCycles(int step, int newest) {
    double sum = 0;
    int count = 0;
    for (int cycle = newest; cycle < newest + options.cycles() || count == 0; cycle++) {
      int i = step - lag.steps(step, cycle);
      if (i < 0 || i < next - remembered.length || i >= next) {
        break;
      }
      double value = remembered[i % remembered.length];
      if (!Double.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    return count > 0 ? sum / count : Double.NaN;
  }
}
