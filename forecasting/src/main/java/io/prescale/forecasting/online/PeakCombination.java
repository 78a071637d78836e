package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Combines several forecasters of the highest demand in a window and calibrates the result.
 *
 * <p>The errors of what they say together, scaled by the distance from its median to its 95 %
 * quantile, form the distribution that the forecast quantiles are read from: conformal calibration
 * whose width still follows the models (Romano, Patterson, Candès 2019, in the scaled form).
 */
final class PeakCombination {
  static final List<String> NAMES =
      List.of(
          "boosted above last value",
          "boosted above recent peak",
          "seasonal-naive",
          "recent peak",
          "borrowed above last value",
          "borrowed above recent peak",
          "led above last value",
          "led above recent peak");

  /** How many members, the first in {@link #NAMES}, are boosted; the next two forecast a point. */
  private static final int BOOSTED = 2;

  private static final int SEASONAL = NAMES.indexOf("seasonal-naive");
  private static final int RECENT = NAMES.indexOf("recent peak");
  private static final int BORROWED = NAMES.indexOf("borrowed above last value");
  private static final int LED = NAMES.indexOf("led above last value");
  private static final double[] MODEL_LEVELS = AnchoredTrees.LEVELS;
  private static final QuantilePool POOL = new QuantilePool(MODEL_LEVELS);
  private static final int MEDIAN = Arrays.binarySearch(MODEL_LEVELS, 0.5);
  private static final int UPPER = Arrays.binarySearch(MODEL_LEVELS, 0.95);

  /** Errors are also learned for each part of the day, of three hours. */
  private static final int DAY_PARTS = 8;

  /** The least spread, as a share of the usual level: resting demand must not divide by 0. */
  private static final double NARROWEST = 0.01;

  /** How many errors a prior counts for, and the standard deviation that it assumes. */
  private static final double PRIOR_ERRORS = 200;

  private static final double PRIOR_ERRORS_OF_A_PART = 50;
  private static final double PRIOR_SCALE = 0.6;
  private static final double PRIOR_SCALE_OF_A_POINT = 0.3;

  /** The memory of the largest error, in days. */
  private static final int MEMORY_DAYS = 7;

  private final Set<PeakMember> chosen;
  private final DemandHistory history;
  private final int lead;
  private final int window;
  private final double[] levels;
  private final int tenMinutes;
  private final int day;
  private final PinballWeights weights;
  private final ErrorDistribution errors;
  private final ErrorDistribution[] errorsByTime;
  private final ErrorDistribution[] pointErrors;
  private final LargestError largestError;
  private final @Nullable PeakPrediction[] pending;
  private @Nullable PeakPrediction newest;

  PeakCombination(
      DemandHistory history, int lead, int window, double[] levels, Set<PeakMember> chosen) {
    this.chosen = chosen;
    this.history = history;
    this.lead = lead;
    this.window = window;
    this.levels = levels;
    this.tenMinutes = history.steps(Duration.ofMinutes(10));
    this.day = history.steps(Duration.ofDays(1));
    double[] equal = DoubleStream.generate(() -> 1).limit(NAMES.size()).toArray();
    this.weights = new PinballWeights(equal, BORROWED, day);
    this.errors = new ErrorDistribution(day, PRIOR_ERRORS, PRIOR_SCALE);
    this.errorsByTime = new ErrorDistribution[DAY_PARTS];
    for (int part = 0; part < DAY_PARTS; part++) {
      errorsByTime[part] =
          new ErrorDistribution(2.0 * day / DAY_PARTS, PRIOR_ERRORS_OF_A_PART, PRIOR_SCALE);
    }
    this.pointErrors =
        new ErrorDistribution[] {
          new ErrorDistribution(day, PRIOR_ERRORS_OF_A_PART, PRIOR_SCALE_OF_A_POINT),
          new ErrorDistribution(day, PRIOR_ERRORS_OF_A_PART, PRIOR_SCALE_OF_A_POINT)
        };
    this.largestError = new LargestError(MEMORY_DAYS * day, day);
    this.pending = new PeakPrediction[lead + window + 1];
  }

  /**
   * Learns from the forecast whose window is complete now that {@code size} steps are known.
   *
   * @return its loss; NaN without a forecast or without enough observations
   */
  double settle(int size) {
    int t = size - lead - window;
    PeakPrediction was = t < 0 ? null : pending[t % pending.length];
    if (was == null || was.t != t) {
      return Double.NaN;
    }
    double truth = history.ordinaryPeak(t + lead, t + lead + window);
    if (Double.isNaN(truth)) {
      return Double.NaN;
    }
    double loss = Levels.pinball(MODEL_LEVELS, truth, was.combined);
    weights.add(Levels.pinballs(MODEL_LEVELS, truth, was.members), loss);
    learnPointErrors(was, truth);
    double error = truth - was.combined[MEDIAN];
    double scaled = error / was.spread;
    largestError.add(error);
    errors.add(scaled);
    errorsByTime[dayPart(was.t)].add(scaled);
    return loss;
  }

  private void learnPointErrors(PeakPrediction was, double truth) {
    for (int m = BOOSTED; m < BORROWED; m++) {
      double[] member = was.members[m];
      if (member != null) {
        pointErrors[m - BOOSTED].add((truth - member[MEDIAN]) / scale(was.t));
      }
    }
  }

  /** The unit of errors: the distance from the median to the 95 % quantile, bounded below. */
  private double spread(double[] combined, int t) {
    return Math.max(
        combined[UPPER] - combined[MEDIAN], NARROWEST * usualLevel(t, combined[MEDIAN]));
  }

  /** The larger of a level and the last day's, above 0. */
  private double usualLevel(int t, double level) {
    double lastDay = Math.abs(history.ordinaryMean(t - day, t));
    double known = Double.isNaN(lastDay) ? 0 : lastDay;
    return Math.max(Math.max(Math.abs(level), known), Double.MIN_NORMAL);
  }

  /** Forecasts from the {@code size} steps that are known, to be judged by its outcome or not. */
  void predict(PeakModels models, int size, boolean isJudged) {
    double recent = history.max(size - tenMinutes, size);
    if (Double.isNaN(recent)) {
      newest = null;
      return;
    }
    double[] @Nullable [] members = members(models, size, recent);
    double[] shares = weights.weights(heard(members));
    double[] combined = POOL.together(members, shares);
    double spread = spread(combined, size);
    double[] values = calibrated(combined, spread, size);
    newest =
        new PeakPrediction(
            size,
            members,
            combined,
            spread,
            values,
            shares,
            isHeard(shares, BORROWED) ? models.relatives() : 0,
            isHeard(shares, LED) ? models.leadingSeries(history.step()) : List.of());
    pending[size % pending.length] = isJudged ? newest : null;
  }

  private double[] @Nullable [] members(PeakModels models, int size, double recent) {
    double[] @Nullable [] members = new double[NAMES.size()][];
    if (chosen.contains(PeakMember.BOOSTING)) {
      models.quantiles(history, size, members, 0, LED, BORROWED);
    }
    double seasonal = seasonalPeak(size);
    if (chosen.contains(PeakMember.SEASONAL_NAIVE) && !Double.isNaN(seasonal)) {
      members[SEASONAL] = aroundPoint(seasonal, SEASONAL, size);
    }
    if (chosen.contains(PeakMember.RECENT_PEAK)
        || Arrays.stream(members, 0, BORROWED).allMatch(Objects::isNull)) {
      members[RECENT] = aroundPoint(recent, RECENT, size);
    }
    return members;
  }

  /** The seasonal width is a guess at first, in whose unit learned errors would be multiplied. */
  private double[] @Nullable [] heard(double[] @Nullable [] members) {
    double[] @Nullable [] heard = members.clone();
    boolean isAlone = Arrays.stream(members, 0, BORROWED).filter(Objects::nonNull).count() == 1;
    boolean isProven = weights.seen(SEASONAL) >= Math.min(8 * PRIOR_ERRORS_OF_A_PART, 2 * day);
    heard[SEASONAL] = isAlone || isProven ? members[SEASONAL] : null;
    return heard;
  }

  /** Averages the quantiles of the last day's errors and of those at this part of the last days. */
  private double[] calibrated(double[] combined, double spread, int t) {
    double[] values = new double[levels.length];
    double[] atThisTime = new double[levels.length];
    errors.quantiles(levels, values);
    errorsByTime[dayPart(t)].quantiles(levels, atThisTime);
    double level = usualLevel(t, combined[MEDIAN]);
    for (int q = 0; q < values.length; q++) {
      double distance = (values[q] + atThisTime[q]) / 2 * spread;
      values[q] = Math.max(0, combined[MEDIAN] + largestError.bounded(distance, level));
    }
    return values;
  }

  private int dayPart(int t) {
    return history.clock().secondOfDay(t) * DAY_PARTS / 86_400;
  }

  /** Yesterday's highest demand in the same window, plus today's difference from yesterday. */
  private double seasonalPeak(int t) {
    int then = t - history.clock().lagSteps(t, 1);
    double peak = history.ordinaryMax(then + lead, then + lead + window);
    double shift = history.mean(t - tenMinutes, t) - history.ordinaryMean(then - tenMinutes, then);
    return peak + shift;
  }

  private double[] aroundPoint(double point, int member, int t) {
    double[] quantiles = new double[MODEL_LEVELS.length];
    pointErrors[member - BOOSTED].quantiles(MODEL_LEVELS, quantiles);
    double scale = scale(t);
    for (int q = 0; q < quantiles.length; q++) {
      quantiles[q] = q == MEDIAN ? point : point + quantiles[q] * scale;
    }
    return quantiles;
  }

  private double scale(int t) {
    double now = history.mean(t - tenMinutes, t);
    return Math.max(Math.abs(now), NARROWEST * usualLevel(t, now));
  }

  /** Models that follow leading series prove themselves anew: others may be followed by now. */
  void forgetLeading() {
    weights.forgetFrom(LED);
  }

  /** What was learned from errors. */
  List<Learned> learned() {
    var all = new ArrayList<Learned>(List.of(weights, errors, largestError));
    all.addAll(Arrays.asList(errorsByTime));
    all.addAll(Arrays.asList(pointErrors));
    return all;
  }

  Optional<QuantileForecast> forecast() {
    PeakPrediction now = newest;
    if (now == null) {
      return Optional.empty();
    }
    var origin = history.time(now.t);
    double factor = 0;
    for (int i = now.t + lead; i < now.t + lead + window; i++) {
      factor = Math.max(factor, history.calendar().factorAt(history.time(i)));
    }
    double[] values = now.values.clone();
    for (int q = 0; q < values.length; q++) {
      values[q] *= factor;
    }
    return Optional.of(
        new QuantileForecast(
            origin,
            history.step().multipliedBy(lead),
            history.step().multipliedBy(window),
            levels,
            values,
            parts(now, factor)));
  }

  private ForecastParts parts(PeakPrediction now, double factor) {
    double level = history.mean(now.t - tenMinutes, now.t);
    double season = seasonalPeak(now.t) - level;
    double known = Double.isNaN(season) ? 0 : season;
    double median = Levels.interpolate(levels, now.values, 0.5);
    return new ForecastParts(
        level,
        known,
        median - level - known,
        median * (factor - 1),
        Levels.interpolate(levels, now.values, 0.95) - now.combined[UPPER],
        ForecastParts.Weight.of(NAMES, now.shares),
        now.relatives,
        now.leading);
  }

  /** Whether either of the two members from this one on has a share. */
  private static boolean isHeard(double[] shares, int member) {
    return shares[member] + shares[member + 1] > 0;
  }
}
