package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Combines the forecasters of single steps. Each stretch of the horizon has its own weights and
 * widths, learned from forecasts that are made every hour for a few horizons.
 */
final class PathCombination {
  static final List<String> NAMES =
      List.of(
          "boosted from yesterday",
          "boosted from the season at today's level",
          "boosted from now",
          "boosted from the season times today's ratio",
          "boosted, next half hour",
          "seasonal-naive",
          "season at today's level",
          "season and today's deviation",
          "season times today's ratio",
          ClassicModels.NAMES.get(0),
          ClassicModels.NAMES.get(1),
          ClassicModels.NAMES.get(2),
          "past weeks",
          "past weeks and the present deviation",
          ClassicModels.NAMES.get(3),
          "what followed in the past",
          "what followed at this time of the day");

  /**
   * The weight of each where all have the same loss. The boosted forecasters start from the simple
   * ones, which therefore add little; two of the three for the next half hour are specialists.
   */
  private static final double[] PRIOR = {
    1, 1, 1, 1, 4, 0.1, 0.1, 0.1, 0.1, 0.3, 0.3, 0.3, 0.3, 2, 0.3, 0.3, 0.3
  };

  /** In the next half hour, the classic ones know as much as the boosted ones. */
  private static final double[] NEAR_PRIOR = {
    1, 1, 1, 1, 4, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.3, 2, 0.3, 0.3, 0.3
  };

  private static final double POWER = 8;

  /** The nearest steps have the most evidence, and the forecasters differ most. */
  private static final double NEAR_POWER = 12;

  private static final double[] LEVELS = PathModel.LEVELS;
  private static final int MEDIAN = 3;
  private static final int LOW = 1;
  private static final int HIGH = 5;
  private static final int POINTS_FROM = PathModel.MODELS;
  private static final int ANALOGS_FROM = NAMES.size() - 2;

  /** Ends of the stretches, in minutes ahead. */
  private static final int[] STRETCH_MINUTES = {15, 30, 60, 120, 240, 480, 960};

  /** The stretches of the next half hour. */
  private static final int NEAR_STRETCHES = 2;

  private static final int WATCHED = 24;

  /** More often would add little: errors at close origins are strongly correlated. */
  private static final Duration WATCH_EVERY = Duration.ofHours(1);

  /** The memory of the weights: each day of the week counts once. */
  private static final Duration MEMORY = Duration.ofDays(7);

  private final PathView view;
  private final double stepMinutes;
  private final int watchSteps;
  private int watchedAt = -1;
  private final int[] watched;
  private final RelativeWeights[] weights;
  private final PointErrors[][] pointErrors;
  private final AdaptiveWidth[] widths;
  private final Deque<Pending> pending = new ArrayDeque<>();

  /** A forecast whose step has not been observed yet. */
  private static final class Pending {
    final int step;
    final int stretch;
    final double[] @Nullable [] members;
    final double[] combined;

    Pending(int step, int stretch, double[] @Nullable [] members, double[] combined) {
      this.step = step;
      this.stretch = stretch;
      this.members = members;
      this.combined = combined;
    }
  }

  PathCombination(PathView view, int horizon) {
    this.view = view;
    this.stepMinutes = view.coarse().step().toMillis() / 60_000.0;
    this.watchSteps = view.coarse().steps(WATCH_EVERY);
    this.watched = watched(horizon);
    int stretches = STRETCH_MINUTES.length + 1;
    this.weights = new RelativeWeights[stretches];
    this.widths = new AdaptiveWidth[stretches];
    this.pointErrors = new PointErrors[ANALOGS_FROM - POINTS_FROM][stretches];
    for (int s = 0; s < stretches; s++) {
      int stretch = s;
      long inStretch = Arrays.stream(watched).filter(h -> stretch(h) == stretch).count();
      double watches = Math.max(1, (double) view.coarse().steps(MEMORY) / watchSteps);
      double memory = watches * Math.max(1, inStretch);
      weights[s] =
          s < NEAR_STRETCHES
              ? new RelativeWeights(NEAR_PRIOR, NEAR_POWER, memory)
              : new RelativeWeights(PRIOR, POWER, memory);
      widths[s] = new AdaptiveWidth();
      for (PointErrors[] errors : pointErrors) {
        errors[s] = new PointErrors(LEVELS, memory);
      }
    }
  }

  /** The watched horizons: the next steps, then further and further apart. */
  private static int[] watched(int horizon) {
    double span = Math.max(0, horizon - WATCHED);
    return IntStream.range(0, WATCHED)
        .map(i -> i + (int) (span * Math.pow(i / (WATCHED - 1.0), 3)))
        .filter(h -> h < horizon)
        .toArray();
  }

  private int stretch(int h) {
    double minutes = (h + 1) * stepMinutes;
    int s = 0;
    while (s < STRETCH_MINUTES.length && minutes > STRETCH_MINUTES[s]) {
      s++;
    }
    return s;
  }

  /** Learns from the forecasts whose step has been observed by now. */
  void settle() {
    int size = view.coarse().size();
    for (var it = pending.iterator(); it.hasNext(); ) {
      Pending was = it.next();
      if (was.step < size) {
        it.remove();
        double truth = view.coarse().ordinary(was.step);
        if (!Double.isNaN(truth)) {
          learn(was, truth);
        }
      }
    }
  }

  private void learn(Pending was, double truth) {
    int s = was.stretch;
    weights[s].add(Levels.pinballs(LEVELS, truth, was.members));
    for (int m = POINTS_FROM; m < ANALOGS_FROM; m++) {
      double[] member = was.members[m];
      if (member != null) {
        pointErrors[m - POINTS_FROM][s].learn(truth - member[MEDIAN]);
      }
    }
    double[] c = was.combined;
    widths[s].learn(truth, c[MEDIAN], c[LOW], LEVELS[LOW], c[HIGH], LEVELS[HIGH]);
  }

  /** Whether the next forecasts to learn from are due. */
  boolean watchDue() {
    int t = view.coarse().size();
    return t % watchSteps == 0 && t != watchedAt;
  }

  /** Makes the forecasts to learn from. */
  void watch(@Nullable PathModel model, ClassicModels classic) {
    int t = view.coarse().size();
    watchedAt = t;
    for (int h : watched) {
      double[] @Nullable [] members = members(model, classic, t, h);
      if (isAnyKnown(members)) {
        double[] combined = combined(members, weights[stretch(h)].weights(members));
        pending.add(new Pending(t + h, stretch(h), members, combined));
      }
    }
  }

  /** The calibrated quantiles h steps ahead; null when no member has any. */
  double @Nullable [] quantiles(@Nullable PathModel model, ClassicModels classic, int h) {
    int t = view.coarse().size();
    double[] @Nullable [] members = members(model, classic, t, h);
    if (!isAnyKnown(members)) {
      return null;
    }
    double[] combined = combined(members, weights[stretch(h)].weights(members));
    double[] values = new double[combined.length];
    double factor = view.coarse().calendar().factorAt(view.coarse().time(t + h));
    for (int q = 0; q < values.length; q++) {
      double widened = widths[stretch(h)].widened(combined[q], combined[MEDIAN]);
      values[q] = factor * Math.max(0, widened);
    }
    return values;
  }

  private double[] @Nullable [] members(
      @Nullable PathModel model, ClassicModels classic, int t, int h) {
    double[] @Nullable [] members = new double[NAMES.size()][];
    boolean isNear = h < view.nearSteps();
    if (model != null) {
      System.arraycopy(model.quantiles(view, t, h), 0, members, 0, POINTS_FROM);
    }
    var reference = view.reference();
    double[] points = {
      reference.yesterday(t, t + h),
      reference.seasonAtTodaysLevel(t, t + h),
      reference.seasonWithDeviation(t, t + h),
      reference.seasonTimesRatio(t, t + h),
      classic.point(0, h),
      classic.point(1, h),
      classic.point(2, h),
      reference.pastWeeks(t, t + h),
      isNear ? reference.pastWeeksWithDeviation(t, t + h) : Double.NaN,
      isNear ? classic.point(3, h) : Double.NaN
    };
    double now = reference.now(t);
    for (int p = 0; p < points.length; p++) {
      if (!Double.isNaN(points[p])) {
        double scale = Math.abs(Double.isNaN(now) ? points[p] : now) / 2;
        members[POINTS_FROM + p] = pointErrors[p][stretch(h)].around(points[p], scale);
      }
    }
    members[ANALOGS_FROM] = view.analogs().quantiles(t, h, LEVELS);
    members[ANALOGS_FROM + 1] = view.analogs().quantilesAtThisTime(t, h, LEVELS);
    return members;
  }

  private static boolean isAnyKnown(double[] @Nullable [] members) {
    return Arrays.stream(members).anyMatch(Objects::nonNull);
  }

  private static double[] combined(double[] @Nullable [] members, double[] shares) {
    double[] combined = QuantilePool.mean(members, shares, LEVELS.length);
    Arrays.sort(combined);
    return combined;
  }
}
