package io.prescale.controller.simulation.replay;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The prediction of gocrane/crane's EffectiveHorizontalPodAutoscaler with the algorithm {@code dsp}
 * ({@code pkg/prediction/dsp}): every 12 hours, when the last two weeks have a period of exactly a
 * day or a week, the estimator that would have continued the last period best gives the next ones.
 * Served is the highest prediction of the coming hour, or the newest observation when that is more,
 * as the HPA that Crane creates takes the larger of the prediction and the user's own metric.
 *
 * <p>Two things differ from Crane. Values keep their fraction, which Crane cuts off, as the result
 * should not depend on the unit; and the period is found without shuffling, see {@link
 * CranePeriod}.
 */
public final class CraneDsp implements ReplayPolicy {

  /** What happens when the period found is neither a day nor a week. */
  public enum OtherPeriod {
    /** As in Crane: no prediction until the next refit. */
    NO_PREDICTION,
    /** In Crane's favour: it is taken for a day. */
    TAKEN_FOR_A_DAY
  }

  private static final int DAY = 24 * 60;
  private static final int WEEK = 7 * DAY;
  private static final int HISTORY = 2 * WEEK + 60;
  private static final int REFIT = 12 * 60;
  private static final int WINDOW = 60;
  private static final int LONGEST_GAP = 60;

  private final double targetUtilization;
  private final List<CraneEstimator> estimators;
  private final OtherPeriod otherPeriod;

  private double[] prediction = new double[0];
  private int predictionStart;

  public CraneDsp(
      double targetUtilization, List<CraneEstimator> estimators, OtherPeriod otherPeriod) {
    if (estimators.isEmpty()) {
      throw new IllegalArgumentException("no estimator");
    }
    this.targetUtilization = targetUtilization;
    this.estimators = List.copyOf(estimators);
    this.otherPeriod = otherPeriod;
  }

  @Override
  public String name() {
    return "Crane's rule at "
        + Math.round(100 * targetUtilization)
        + " %"
        + (otherPeriod == OtherPeriod.TAKEN_FOR_A_DAY ? ", day assumed" : "");
  }

  @Override
  public double targetUtilization() {
    return targetUtilization;
  }

  @Override
  public Served next(View view) {
    if (view.minute() % REFIT == 0) {
      refit(view);
    }
    return Served.of(View.larger(view.newest(), highestPredicted(view.minute())));
  }

  /** Empty when nothing is predicted for the coming hour. */
  private OptionalDouble highestPredicted(int minute) {
    int end = Math.min(minute + WINDOW + 1 - predictionStart, prediction.length);
    return View.highest(prediction, Math.min(minute - predictionStart, end), end);
  }

  private void refit(View view) {
    prediction = new double[0];
    double[] known = view.last(HISTORY);
    int end = endOfObservations(known);
    double[] history = withoutOutliers(unbroken(known, end));
    int period = period(history);
    int periods = period == CranePeriod.NONE ? 0 : history.length / period;
    if (periods < 2) {
      return;
    }
    double[] signal =
        Arrays.copyOfRange(history, history.length - periods * period, history.length);
    CraneEstimator best = best(signal, period);
    predictionStart = view.minute() - (known.length - end);
    prediction = repeated(best.withMargin(best.shape().next(signal, period)), periods);
  }

  private int period(double[] history) {
    int found = CranePeriod.of(history);
    if (found == DAY || found == WEEK) {
      return found;
    }
    return otherPeriod == OtherPeriod.TAKEN_FOR_A_DAY ? DAY : CranePeriod.NONE;
  }

  private static double[] repeated(double[] values, int times) {
    double[] repeated = new double[values.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(values, 0, repeated, i * values.length, values.length);
    }
    return repeated;
  }

  /** The estimator that would have continued the earlier periods to the last one best. */
  private CraneEstimator best(double[] signal, int period) {
    double[] earlier = Arrays.copyOf(signal, signal.length - period);
    double[] last = Arrays.copyOfRange(signal, signal.length - period, signal.length);
    var continued = new HashMap<CraneEstimator.Shape, double[]>();
    CraneEstimator best = estimators.getFirst();
    double least = Double.POSITIVE_INFINITY;
    for (CraneEstimator estimator : estimators) {
      double[] next =
          continued.computeIfAbsent(estimator.shape(), shape -> shape.next(earlier, period));
      double error = error(last, estimator.withMargin(next));
      if (error < least) {
        least = error;
        best = estimator;
      }
    }
    return best;
  }

  /**
   * Mean absolute relative error in which too low a prediction weighs more ({@code
   * pkg/prediction/accuracy}); the mean absolute error when some actual value is about 0.
   */
  static double error(double[] actual, double[] predicted) {
    boolean relative = Arrays.stream(actual).allMatch(x -> x >= 1e-3);
    double sum = 0;
    for (int i = 0; i < actual.length; i++) {
      double excess = predicted[i] - actual[i];
      if (!relative) {
        sum += Math.abs(excess);
      } else if (excess >= 0) {
        sum += excess / actual[i];
      } else {
        sum -= Math.log(predicted[i] / actual[i]) / Math.log(1.25);
      }
    }
    return sum / actual.length;
  }

  private static int endOfObservations(double[] known) {
    int end = known.length;
    while (end > 0 && Double.isNaN(known[end - 1])) {
      end--;
    }
    return end;
  }

  /** What came between the last gap of more than an hour and the end; shorter gaps are bridged. */
  private static double[] unbroken(double[] known, int end) {
    int start = end;
    for (int i = end - 1; i >= 0 && start - i - 1 <= LONGEST_GAP; i--) {
      if (!Double.isNaN(known[i])) {
        start = i;
      }
    }
    return Gaps.bridged(Arrays.copyOfRange(known, start, end));
  }

  /** Values outside the 0.1st to 99.9th percentile are replaced by the value before. */
  private static double[] withoutOutliers(double[] history) {
    if (history.length == 0) {
      return history;
    }
    double[] sorted = history.clone();
    Arrays.sort(sorted);
    double low = percentile(sorted, 0.1);
    double high = percentile(sorted, 99.9);
    double[] cleaned = history.clone();
    for (int i = 1; i < cleaned.length; i++) {
      if (cleaned[i] > high || cleaned[i] < low) {
        cleaned[i] = cleaned[i - 1];
      }
    }
    return cleaned;
  }

  /** By the rank n·percent/100, between neighbours the mean (montanaflynn/stats, as Crane uses). */
  private static double percentile(double[] sorted, double percent) {
    double rank = percent / 100 * sorted.length;
    int index = (int) rank;
    if (index < 1) {
      return sorted[0];
    }
    return rank == index ? sorted[index - 1] : (sorted[index - 1] + sorted[index]) / 2;
  }
}
