package io.prescale.forecasting.online;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Combines the forecasters of single steps, with weights and widths of their own for each stretch
 * of the horizon, learned from forecasts that are made at each refit for a few horizons.
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
          "holt-winters",
          "harmonic regression");

  /**
   * How much each counts where all lose alike. The simple forecasters are what the boosted ones
   * start from, so they have little of their own to add; the one for the next half hour is a
   * specialist.
   */
  private static final double[] PRIOR = {1, 1, 1, 1, 4, 0.1, 0.1, 0.1, 0.1, 0.3, 0.3};

  private static final double[] LEVELS = PathModel.LEVELS;
  private static final int MEDIAN = 3;
  private static final int LOW = 1;
  private static final int HIGH = 5;
  private static final int POINTS_FROM = PathModel.MODELS;

  /** Ends of the stretches, in minutes ahead. */
  private static final int[] STRETCH_MINUTES = {15, 30, 60, 120, 240, 480, 960};

  private static final int WATCHED = 24;

  /** How many watched forecasts of a horizon count when a forecaster is judged. */
  private static final double MEMORY = 50;

  private final PathView view;
  private final double stepMinutes;
  private final int[] watched;
  private final PinballWeights[] weights;
  private final PointErrors[][] pointErrors;
  private final AdaptiveWidth[] widths;
  private final Deque<Pending> pending = new ArrayDeque<>();

  /** A forecast that waits for its truth. */
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
    this.watched = watched(horizon);
    int stretches = STRETCH_MINUTES.length + 1;
    this.weights = new PinballWeights[stretches];
    this.widths = new AdaptiveWidth[stretches];
    this.pointErrors = new PointErrors[NAMES.size() - POINTS_FROM][stretches];
    for (int s = 0; s < stretches; s++) {
      int stretch = s;
      long inStretch = Arrays.stream(watched).filter(h -> stretch(h) == stretch).count();
      double memory = MEMORY * Math.max(1, inStretch);
      weights[s] = new PinballWeights(PRIOR, memory);
      widths[s] = new AdaptiveWidth();
      for (PointErrors[] errors : pointErrors) {
        errors[s] = new PointErrors(LEVELS, memory);
      }
    }
  }

  /** Horizons that are watched: the next steps, then further and further apart. */
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

  /** Learns from the forecasts whose step is now known. */
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
    for (int m = 0; m < NAMES.size(); m++) {
      double[] member = was.members[m];
      if (member != null) {
        weights[s].add(m, Levels.pinball(LEVELS, truth, member));
        if (m >= POINTS_FROM) {
          pointErrors[m - POINTS_FROM][s].learn(truth - member[MEDIAN]);
        }
      }
    }
    double[] c = was.combined;
    widths[s].learn(truth, c[MEDIAN], c[LOW], LEVELS[LOW], c[HIGH], LEVELS[HIGH]);
  }

  /** Makes the forecasts that will be learned from. */
  void watch(@Nullable PathModel model, ClassicModels classic) {
    int t = view.coarse().size();
    for (int h : watched) {
      double[] @Nullable [] members = members(model, classic, t, h);
      double[] combined = combined(members, stretch(h));
      if (combined != null) {
        pending.add(new Pending(t + h, stretch(h), members, combined));
      }
    }
  }

  /** The calibrated quantiles h steps ahead of what is known; null when nothing is known. */
  double @Nullable [] quantiles(@Nullable PathModel model, ClassicModels classic, int h) {
    int t = view.coarse().size();
    double[] combined = combined(members(model, classic, t, h), stretch(h));
    if (combined == null) {
      return null;
    }
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
      classic.point(1, h)
    };
    double now = reference.now(t);
    for (int p = 0; p < points.length; p++) {
      if (!Double.isNaN(points[p])) {
        double scale = Math.abs(Double.isNaN(now) ? points[p] : now) / 2;
        members[POINTS_FROM + p] = pointErrors[p][stretch(h)].around(points[p], scale);
      }
    }
    return members;
  }

  private double @Nullable [] combined(double[] @Nullable [] members, int stretch) {
    boolean[] present = new boolean[members.length];
    boolean any = false;
    for (int m = 0; m < members.length; m++) {
      present[m] = members[m] != null;
      any |= present[m];
    }
    if (!any) {
      return null;
    }
    double[] shares = weights[stretch].weights(present);
    double[] combined = new double[LEVELS.length];
    for (int m = 0; m < members.length; m++) {
      double[] member = members[m];
      for (int q = 0; member != null && q < combined.length; q++) {
        combined[q] += shares[m] * member[q];
      }
    }
    Arrays.sort(combined);
    return combined;
  }
}
