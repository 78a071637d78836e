package io.prescale.forecasting.classic;

import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.RobustScale;
import io.prescale.forecasting.TimeSeries;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The regression of a series on a line and the sines and cosines of its seasons: selects the terms
 * and estimates their coefficients.
 *
 * <p>Columns: the constant, then the terms of each season, then the line, which is 0 at the last
 * step and -1 a history earlier. Where the shortest season allows it, a row is the mean of a block
 * of steps, which gives the same result for a fraction of the work.
 */
final class HarmonicDesign {
  private static final int ENOUGH_ROWS = 4000;

  /** A block is at most this part of the shortest season, a quarter of the shortest wave. */
  private static final int BLOCKS_PER_SEASON = 64;

  /** Residuals are clipped at this many robust standard deviations for the last pass. */
  private static final double CLIP = 4;

  private static final int ERROR_ORDER = 10;

  /** Errors below this share of the values' scale count as rounding. */
  private static final double EXACT = 1e-5;

  private final List<FourierTerms> terms;
  private final double[][] rows;
  private final double[] values;

  /** Subtracted from the values, so that their squares lose no digits to a high level. */
  private final double centre;

  private final int steps;

  HarmonicDesign(TimeSeries history, List<FourierTerms> terms, ZoneId zone) {
    this.terms = terms;
    int block = blockSteps(history, terms);
    var coarse = history.coarsen(block);
    values = coarse.toArray();
    steps = history.size();
    double median = RobustScale.median(values);
    centre = Double.isNaN(median) ? 0 : median;
    for (int i = 0; i < values.length; i++) {
      values[i] -= centre;
    }
    // A block is represented by its middle.
    var middle = history.start().plus(history.step().multipliedBy(block - 1).dividedBy(2));
    var clock = new LocalClock(middle, coarse.step(), zone);
    rows = new double[values.length][columns()];
    for (int i = 0; i < rows.length; i++) {
      rows[i][0] = 1;
      double position = (double) i * block + (block - 1) / 2.0 - (history.size() - 1);
      rows[i][columns() - 1] = position / history.size();
    }
    for (int s = 0; s < terms.size(); s++) {
      var sizes = terms.get(s).sizes(history.step(), block);
      var phases = clock.phases(0, rows.length, terms.get(s).season());
      for (int i = 0; i < rows.length; i++) {
        terms.get(s).fill(rows[i], firstColumn(s), phases[i], sizes);
      }
    }
  }

  private static int blockSteps(TimeSeries history, List<FourierTerms> terms) {
    int wanted = Math.max(1, history.size() / ENOUGH_ROWS);
    if (!terms.isEmpty()) {
      long shortest = terms.getFirst().season().period().dividedBy(history.step());
      wanted = Math.clamp(shortest / BLOCKS_PER_SEASON, 1, wanted);
    }
    // Where most values are missing, blocks would be missing too.
    boolean dense = 2 * history.coarsen(wanted).presentCount() * wanted >= history.presentCount();
    return dense ? wanted : 1;
  }

  private int columns() {
    return firstColumn(terms.size()) + 1;
  }

  private int firstColumn(int season) {
    return 1 + 2 * terms.stream().limit(season).mapToInt(FourierTerms::count).sum();
  }

  /**
   * The regression with autoregressive errors and the least AICc (FPP3 §10.1), by a step of
   * Cochrane and Orcutt (1949): the errors of ordinary least squares give an autoregression, which
   * whitens rows and values for the second fit. Whitening turns a level shift into an outlier, and
   * outliers are clipped for the third. O(rows * columns^2).
   *
   * @param mayHaveLine whether to consider the line at all
   */
  HarmonicCurve fit(boolean mayHaveLine) {
    int[] all = columns(fullHarmonics(), mayHaveLine);
    var errors = residuals(rows, values, all, equations(rows, values).solve(all));
    var process = whitener(errors);

    var whiteRows = new double[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      whiteRows[i] = white(process, i);
    }
    var whiteValues = process.innovations(values);
    var equations = equations(whiteRows, whiteValues);
    int[] chosen = choose(equations, mayHaveLine);
    var innovations = residuals(whiteRows, whiteValues, chosen, equations.solve(chosen));
    var solution = equations(whiteRows, clipped(whiteValues, innovations)).solve(chosen);
    return curve(chosen, solution);
  }

  /**
   * Skips whitening where gaps would lose most rows, and where the errors are only the ridge's
   * bias, which looks like the seasons themselves.
   */
  private Autoregression whitener(double[] errors) {
    var process = Autoregression.fit(errors, ERROR_ORDER);
    boolean keepsRows = 2 * present(process.innovations(values)) >= present(values);
    boolean leavesErrors = RobustScale.of(errors) > EXACT * RobustScale.of(values);
    return keepsRows && leavesErrors ? process : new Autoregression(new double[0]);
  }

  private static long present(double[] values) {
    return Arrays.stream(values).filter(value -> !Double.isNaN(value)).count();
  }

  /** The innovation of a row: its difference from the process's prediction. */
  private double[] white(Autoregression process, int i) {
    var white = rows[i].clone();
    var coefficients = process.coefficients();
    for (int k = 0; k < Math.min(i, coefficients.length); k++) {
      for (int c = 0; c < white.length; c++) {
        white[c] -= coefficients[k] * rows[i - 1 - k][c];
      }
    }
    return white;
  }

  private NormalEquations equations(double[][] x, double[] y) {
    var equations = new NormalEquations(columns());
    for (int i = 0; i < x.length; i++) {
      if (!Double.isNaN(y[i])) {
        equations.add(x[i], y[i]);
      }
    }
    return equations;
  }

  private static double[] residuals(double[][] x, double[] y, int[] columns, double[] solution) {
    var residuals = y.clone();
    for (int i = 0; i < x.length; i++) {
      for (int c = 0; c < columns.length; c++) {
        residuals[i] -= solution[c] * x[i][columns[c]];
      }
    }
    return residuals;
  }

  /** The values, with residuals beyond the limit reduced to it. */
  private static double[] clipped(double[] values, double[] residuals) {
    double limit = CLIP * RobustScale.of(residuals);
    var clipped = values.clone();
    for (int i = 0; i < clipped.length && limit > 0; i++) {
      if (Math.abs(residuals[i]) > limit) {
        clipped[i] -= residuals[i] - Math.copySign(limit, residuals[i]);
      }
    }
    return clipped;
  }

  private int[] fullHarmonics() {
    return terms.stream().mapToInt(FourierTerms::count).toArray();
  }

  /** Chooses the number of harmonics season by season, then whether there is a line. */
  private int[] choose(NormalEquations equations, boolean mayHaveLine) {
    var harmonics = fullHarmonics();
    for (int s = 0; s < harmonics.length; s++) {
      int bestCount = 0;
      double least = Double.POSITIVE_INFINITY;
      for (int count = 0; count <= terms.get(s).count(); count += count < 4 ? 1 : 2) {
        harmonics[s] = count;
        double criterion = aicc(equations, columns(harmonics, mayHaveLine));
        if (criterion < least) {
          least = criterion;
          bestCount = count;
        }
      }
      harmonics[s] = bestCount;
    }
    var level = columns(harmonics, false);
    var line = columns(harmonics, true);
    return mayHaveLine && aicc(equations, line) < aicc(equations, level) ? line : level;
  }

  private static double aicc(NormalEquations equations, int[] columns) {
    double squares = equations.residualSquares(columns, equations.solve(columns));
    return Aicc.of(equations.rows(), columns.length, squares / equations.rows());
  }

  private int[] columns(int[] harmonics, boolean line) {
    var columns = new ArrayList<Integer>();
    columns.add(0);
    for (int s = 0; s < harmonics.length; s++) {
      for (int c = 0; c < 2 * harmonics[s]; c++) {
        columns.add(firstColumn(s) + c);
      }
    }
    if (line) {
      columns.add(columns() - 1);
    }
    return columns.stream().mapToInt(c -> c).toArray();
  }

  private HarmonicCurve curve(int[] columns, double[] solution) {
    var coefficients = new double[columns()];
    for (int c = 0; c < columns.length; c++) {
      coefficients[columns[c]] = solution[c];
    }
    var profiles = new PeriodicProfile[terms.size()];
    for (int s = 0; s < profiles.length; s++) {
      profiles[s] =
          terms
              .get(s)
              .profile(Arrays.copyOfRange(coefficients, firstColumn(s), firstColumn(s + 1)));
    }
    double slope = coefficients[columns() - 1] / steps;
    return new HarmonicCurve(centre + level(coefficients), slope, List.of(profiles));
  }

  /** The level as the median of the residuals: whitening leaves little of the constant column. */
  private double level(double[] coefficients) {
    var residuals = values.clone();
    for (int i = 0; i < rows.length; i++) {
      for (int c = 1; c < coefficients.length; c++) {
        residuals[i] -= coefficients[c] * rows[i][c];
      }
    }
    double level = RobustScale.median(residuals);
    return Double.isNaN(level) ? 0 : level;
  }
}
