package io.prescale.forecasting.classic;

import java.util.Arrays;
import org.apache.commons.math3.analysis.MultivariateFunction;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.optim.InitialGuess;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.nonlinear.scalar.MultivariateFunctionMappingAdapter;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunction;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.NelderMeadSimplex;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.SimplexOptimizer;

/**
 * Finds the smoothing parameters with the least error on history, by the simplex method of Nelder
 * and Mead within bounds.
 *
 * <p>The error is the sum of the mean absolute errors one step and several steps ahead, over the
 * values that the initial state was not estimated from. One step ahead alone, as in FPP3 §8.6,
 * chooses parameters that chase the noise of minutes.
 */
final class SmoothingSearch {
  private static final int MOST_TRIALS = 90;
  private static final int FEWEST_ERRORS = 30;

  /** Forecasts several steps ahead are tried from every third step. */
  private static final int STRIDE = 3;

  // In order: alpha, beta / alpha and phi. FPP3 §8.3 has the usual region of each, and §8.2 the
  // recommended one of phi, which on a grid of minutes has to be nearer to 1.
  private static final double[] LOWEST = {5e-4, 1e-4, 0.8};
  private static final double[] HIGHEST = {0.999, 0.5, 0.998};
  private static final double[] START = {0.2, 0.01, 0.97};

  // Gamma relative to 1 - alpha (FPP3 §8.3), for a season with one step per knot. With more, it is
  // divided by them, because a knot learns from each: otherwise it would follow the noise.
  private static final double LOWEST_GAMMA = 1e-4;
  private static final double HIGHEST_GAMMA = 0.8;
  private static final double START_GAMMA = 0.05;

  private final double[] values;
  private final double[][] phases;
  private final double[] stepsPerKnot;
  private final SmoothedState initial;
  private final int counted;
  private final int[] leads;

  private double leastError = Double.POSITIVE_INFINITY;
  private Smoothing best;

  /**
   * @param stepsPerKnot of each season
   * @param initial state before the first value
   * @param counted index of the first value whose errors count
   * @param leads how many steps ahead errors are measured, besides one
   */
  SmoothingSearch(
      double[] values,
      double[][] phases,
      double[] stepsPerKnot,
      SmoothedState initial,
      int counted,
      int[] leads) {
    this.values = values;
    this.phases = phases;
    this.stepsPerKnot = stepsPerKnot;
    this.initial = initial;
    this.counted = counted;
    this.leads = leads;
    this.best = smoothing(point(START, START_GAMMA));
  }

  private double[] point(double[] base, double gamma) {
    var point = Arrays.copyOf(base, base.length + stepsPerKnot.length);
    for (int s = 0; s < stepsPerKnot.length; s++) {
      point[base.length + s] = gamma / stepsPerKnot[s];
    }
    return point;
  }

  /** Cost: up to 90 passes over the values. */
  Smoothing search() {
    long present =
        Arrays.stream(values, counted, values.length).filter(v -> !Double.isNaN(v)).count();
    if (present < FEWEST_ERRORS) {
      return best;
    }
    var start = point(START, START_GAMMA);
    var bounded =
        new MultivariateFunctionMappingAdapter(
            objective(), point(LOWEST, LOWEST_GAMMA), point(HIGHEST, HIGHEST_GAMMA));
    try {
      new SimplexOptimizer(1e-4, 1e-12)
          .optimize(
              new MaxEval(MOST_TRIALS),
              new ObjectiveFunction(bounded),
              GoalType.MINIMIZE,
              new InitialGuess(bounded.boundedToUnbounded(start)),
              new NelderMeadSimplex(start.length, 1.5));
    } catch (TooManyEvaluationsException expected) {
      // The budget is spent; the best of all trials stands.
    }
    return best;
  }

  private MultivariateFunction objective() {
    return point -> {
      var smoothing = smoothing(point);
      double error = error(smoothing);
      if (error < leastError) {
        leastError = error;
        best = smoothing;
      }
      return error;
    };
  }

  private static Smoothing smoothing(double[] point) {
    double alpha = point[0];
    double shortGamma = point.length > 3 ? point[3] * (1 - alpha) : 0;
    double longGamma = point.length > 4 ? point[4] * (1 - alpha) : 0;
    return new Smoothing(alpha, alpha * point[1], point[2], shortGamma, longGamma);
  }

  private double error(Smoothing smoothing) {
    var state = initial.copy();
    var far = new MeanError[leads.length];
    Arrays.setAll(far, k -> new MeanError());
    var near = new MeanError();
    for (int i = 0; i < values.length; i++) {
      double error = state.observe(smoothing, values[i], phases, i);
      if (i >= counted) {
        near.add(error);
        for (int k = 0; k < leads.length && i % STRIDE == 0; k++) {
          far[k].add(errorAhead(smoothing, state, i, leads[k]));
        }
      }
    }
    return near.mean() + Arrays.stream(far).mapToDouble(MeanError::mean).sum();
  }

  private double errorAhead(Smoothing smoothing, SmoothedState state, int i, int lead) {
    int ahead = i + lead;
    return ahead < values.length
        ? values[ahead]
            - state.level()
            - smoothing.damped(lead) * state.trend()
            - state.seasonal(phases, ahead)
        : Double.NaN;
  }

  private static final class MeanError {
    private double sum;
    private int count;

    void add(double error) {
      if (!Double.isNaN(error)) {
        sum += Math.abs(error);
        count++;
      }
    }

    double mean() {
      return sum / Math.max(1, count);
    }
  }
}
