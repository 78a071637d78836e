package io.prescale.forecasting.online;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads the quantiles of combined forecasts from the errors of earlier ones, in units of the spread
 * that each had: conformal calibration whose width follows the models (Romano, Patterson, Candès
 * 2019, in the scaled form).
 *
 * <p>Bursts that no model foresees are errors of any size at any spread: learned while it was
 * narrow, they would be multiplied whenever noise widens it. So errors are learned in a steadier
 * unit too, the geometric mean of the spread and its mean of the last day, from which the quantiles
 * are read while that has clearly lost less at the upper levels.
 */
final class PeakCalibration {
  /** The losses at this level and above decide between the units. */
  private static final double UPPER = 0.9;

  /** Days that the losses fade in. */
  private static final int MEMORY_DAYS = 4;

  /** The half-life of the largest error, in days. */
  private static final int LARGEST_DAYS = 7;

  private static final double CLEARLY_LESS = 0.9;

  /** Errors by the spread are also learned for each part of the day, of three hours. */
  private static final int DAY_PARTS = 8;

  /** How many errors a prior counts for, and the standard deviation that it assumes. */
  private static final double PRIOR_ERRORS = 200;

  private static final double PRIOR_ERRORS_OF_A_PART = 50;
  private static final double PRIOR_SCALE = 0.6;

  private final DemandHistory history;
  private final double[] levels;
  private final int firstUpper;
  private final int day;
  private final ErrorDistribution errors;
  private final ErrorDistribution[] errorsByTime;
  private final ErrorDistribution steadyErrors;
  private final LargestError largestError;
  private final UnitRecord record = new UnitRecord();

  /** A calibrated forecast, in both units. */
  static final class Calibrated {
    private final int t;
    private final double median;
    private final double spread;
    private final double[] bySpread;
    private final double steadySpread;
    private final double[] bySteadySpread;
    private final boolean isSteady;

    private Calibrated(
        int t,
        double median,
        double spread,
        double[] bySpread,
        double steadySpread,
        double[] bySteadySpread,
        boolean isSteady) {
      this.t = t;
      this.median = median;
      this.spread = spread;
      this.bySpread = bySpread;
      this.steadySpread = steadySpread;
      this.bySteadySpread = bySteadySpread;
      this.isSteady = isSteady;
    }

    /** The quantiles to forecast. */
    double[] values() {
      return isSteady ? bySteadySpread : bySpread;
    }
  }

  /**
   * @param levels of the quantiles, ascending
   * @param day its length in steps
   */
  PeakCalibration(DemandHistory history, double[] levels, int day) {
    this.history = history;
    this.levels = levels.clone();
    this.firstUpper = (int) Arrays.stream(levels).filter(level -> level < UPPER).count();
    this.day = day;
    this.errors = new ErrorDistribution(day, PRIOR_ERRORS, PRIOR_SCALE);
    this.errorsByTime = new ErrorDistribution[DAY_PARTS];
    for (int part = 0; part < DAY_PARTS; part++) {
      errorsByTime[part] =
          new ErrorDistribution(2.0 * day / DAY_PARTS, PRIOR_ERRORS_OF_A_PART, PRIOR_SCALE);
    }
    this.steadyErrors = new ErrorDistribution(day, PRIOR_ERRORS, PRIOR_SCALE);
    this.largestError = new LargestError(LARGEST_DAYS * day, day);
  }

  /**
   * Calibrates the forecast made at step t.
   *
   * @param spread from its median to its 95 % quantile, above 0
   * @param level the usual demand, which bounds the quantiles while few errors are known
   */
  Calibrated calibrate(int t, double median, double spread, double level) {
    record.observe(spread);
    double steadySpread = Math.sqrt(spread * record.meanSpread);
    double[] scaled = quantiles(errors);
    double[] atThisTime = quantiles(errorsByTime[dayPart(t)]);
    Arrays.setAll(scaled, q -> (scaled[q] + atThisTime[q]) / 2);
    return new Calibrated(
        t,
        median,
        spread,
        around(median, scaled, spread, level),
        steadySpread,
        around(median, quantiles(steadyErrors), steadySpread, level),
        record.isSteadyBetter());
  }

  private double[] quantiles(ErrorDistribution of) {
    double[] quantiles = new double[levels.length];
    of.quantiles(levels, quantiles);
    return quantiles;
  }

  private double[] around(double median, double[] scaled, double unit, double level) {
    double[] values = new double[scaled.length];
    Arrays.setAll(values, q -> Math.max(0, median + largestError.bounded(scaled[q] * unit, level)));
    return values;
  }

  private int dayPart(int t) {
    return history.clock().secondOfDay(t) * DAY_PARTS / 86_400;
  }

  /** Learns from a forecast whose truth is known. */
  void learn(Calibrated was, double truth) {
    double error = truth - was.median;
    largestError.add(error);
    double scaled = error / was.spread;
    errors.add(scaled);
    errorsByTime[dayPart(was.t)].add(scaled);
    steadyErrors.add(error / was.steadySpread);
    record.add(upperLoss(truth, was.bySpread), upperLoss(truth, was.bySteadySpread));
  }

  private double upperLoss(double truth, double[] values) {
    double loss = 0;
    for (int q = firstUpper; q < levels.length; q++) {
      loss += Levels.pinball(levels[q], truth, values[q]);
    }
    return loss;
  }

  /** What was learned from errors. */
  List<Learned> learned() {
    return Stream.concat(
            Stream.of(errors, largestError, steadyErrors, record), Arrays.stream(errorsByTime))
        .toList();
  }

  /** The mean spread of the last day, and the fading mean of the losses in either unit. */
  private final class UnitRecord implements Learned {
    private double meanSpread;
    private double loss;
    private double steadyLoss;
    private int spreads;
    private int losses;

    void observe(double spread) {
      spreads = Math.min(spreads + 1, day);
      meanSpread += (spread - meanSpread) / spreads;
    }

    void add(double bySpread, double bySteadySpread) {
      losses = Math.min(losses + 1, MEMORY_DAYS * day);
      loss += (bySpread - loss) / losses;
      steadyLoss += (bySteadySpread - steadyLoss) / losses;
    }

    boolean isSteadyBetter() {
      return losses >= day && steadyLoss < CLEARLY_LESS * loss;
    }

    @Override
    public double[] state() {
      return new double[] {meanSpread, loss, steadyLoss, spreads, losses};
    }

    @Override
    public void restore(double[] state) {
      for (double number : state) {
        if (!(number >= 0 && Double.isFinite(number))) {
          throw new IllegalArgumentException("no record of losses: " + number);
        }
      }
      meanSpread = state[0];
      loss = state[1];
      steadyLoss = state[2];
      spreads = (int) Math.min(state[3], day);
      losses = (int) Math.min(state[4], MEMORY_DAYS * day);
    }
  }
}
