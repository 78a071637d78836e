package io.prescale.forecasting.online;

import io.prescale.forecasting.Season;
import io.prescale.forecasting.boosting.BinnedColumns;
import io.prescale.forecasting.boosting.QuantileBoosting;
import io.prescale.forecasting.boosting.QuantileTrees;
import io.prescale.forecasting.seasonality.SeasonDetector;
import java.nio.BufferUnderflowException;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.util.MathArrays;

/**
 * Two boosted quantile models of the highest demand in a window, fitted to its rise above an
 * anchor: the last value, or the recent maximum. Differences let trees extrapolate to new levels;
 * the two anchors err differently, so their mean is better than either.
 */
final class PeakModel {
  static final double[] LEVELS = {0.5, 0.8, 0.95};

  private static final int MAX_ROWS = 6000;
  private static final int MIN_ROWS = RefitSchedule.FEWEST_STEPS / 2;

  /** How many seasons besides day and week get features of their own. */
  private static final int MOST_SEASONS = 2;

  static final Duration RECENT = Duration.ofMinutes(10);
  private static final Duration UNWARMED = Duration.ofHours(1);

  private final PeakFeatures features;
  private final LeadingFeatures leading;
  private final QuantileTrees aboveLast;
  private final QuantileTrees aboveRecentMax;
  private final int recent;

  private PeakModel(
      PeakFeatures features,
      LeadingFeatures leading,
      QuantileTrees aboveLast,
      QuantileTrees aboveRecentMax,
      int recent) {
    this.features = features;
    this.leading = leading;
    this.aboveLast = aboveLast;
    this.aboveRecentMax = aboveRecentMax;
    this.recent = recent;
  }

  /** The lengths in steps of the clearest seasons besides the day and the week. */
  private static int[] unusualSeasons(DemandHistory history) {
    return new SeasonDetector()
        .detect(history.ordinarySeries()).stream()
            .map(Season::period)
            .filter(period -> !period.equals(Season.DAY) && !period.equals(Season.WEEK))
            .limit(MOST_SEASONS)
            .mapToInt(history::steps)
            .toArray();
  }

  /**
   * Fits both models; empty when too few steps have a known target.
   *
   * @param leading features of other series to learn from, too
   * @param parallel whether each may have a processor
   */
  static Optional<PeakModel> fit(
      DemandHistory history,
      LeadingFeatures leading,
      int lead,
      int window,
      long seed,
      boolean parallel) {
    var features = new PeakFeatures(history, lead, window, unusualSeasons(history));
    int recent = history.steps(RECENT);
    var rows = rows(history, features, leading, lead + window, recent, seed);
    if (rows.size() < MIN_ROWS) {
      return Optional.empty();
    }
    BinnedColumns columns = rows.columns();
    int minLeafRows = Math.clamp(rows.size() / 60, 5, 50);
    var settings = new QuantileBoosting.Settings(150, 0.1, 8, minLeafRows, 0.6, 0.7, seed);
    var both = IntStream.range(0, 2);
    QuantileTrees[] trees =
        (parallel ? both.parallel() : both)
            .mapToObj(m -> QuantileBoosting.fit(columns, rows.target(m), LEVELS, settings))
            .toArray(QuantileTrees[]::new);
    return Optional.of(new PeakModel(features, leading, trees[0], trees[1], recent));
  }

  /** At most {@value #MAX_ROWS} rows, one at random in each of as many equal stretches. */
  private static TrainingRows rows(
      DemandHistory history,
      PeakFeatures features,
      LeadingFeatures leading,
      int span,
      int recent,
      long seed) {
    var rows = new TrainingRows();
    var random = new SplittableRandom(seed);
    int warmUp = Math.min(history.steps(UNWARMED), (history.size() - history.oldest()) / 4);
    int from = history.oldest() + warmUp;
    int candidates = history.size() - span + 1 - from;
    int count = Math.min(MAX_ROWS, candidates);
    for (int i = 0; i < count; i++) {
      int t = TrainingRows.moment(i, count, from, candidates, random);
      double target = features.target(history, t);
      double last = history.newest(t, recent);
      double recentMax = history.max(t - recent, t);
      if (!Double.isNaN(target) && !Double.isNaN(last) && !Double.isNaN(recentMax)) {
        rows.add(row(features, leading, history, t), target - last, target - recentMax);
      }
    }
    return rows;
  }

  private static double[] row(
      PeakFeatures features, LeadingFeatures leading, DemandHistory history, int t) {
    return MathArrays.concatenate(features.at(history, t), leading.at(history, t));
  }

  /**
   * The models as numbers, for {@link #ofNumbers}; see {@link QuantileTrees#toNumbers}. Not for
   * those with leading series.
   */
  int[] toNumbers() {
    int[] seasons = features.seasonSteps();
    int[] last = aboveLast.toNumbers();
    int[] recentMax = aboveRecentMax.toNumbers();
    return IntBuffer.allocate(2 + seasons.length + last.length + recentMax.length)
        .put(seasons.length)
        .put(seasons)
        .put(last.length)
        .put(last)
        .put(recentMax)
        .array();
  }

  /**
   * The models of {@link #toNumbers}, for the same lead and window.
   *
   * @throws IllegalArgumentException if there are none of these numbers
   */
  static PeakModel ofNumbers(int[] saved, DemandHistory history, int lead, int window) {
    try {
      var all = IntBuffer.wrap(saved);
      int[] seasons = next(all, all.get());
      var features = new PeakFeatures(history, lead, window, seasons);
      var last = QuantileTrees.ofNumbers(next(all, all.get()));
      var recentMax = QuantileTrees.ofNumbers(next(all, all.remaining()));
      int columns = features.at(history, history.size()).length;
      if (!last.isFor(columns, LEVELS.length) || !recentMax.isFor(columns, LEVELS.length)) {
        throw new IllegalArgumentException("holds models of other features");
      }
      return new PeakModel(
          features, LeadingFeatures.none(), last, recentMax, history.steps(RECENT));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("holds models that are cut short", e);
    }
  }

  private static int[] next(IntBuffer all, int count) {
    if (count < 0 || count > all.remaining()) {
      throw new IllegalArgumentException("holds models that claim " + count + " numbers");
    }
    int[] numbers = new int[count];
    all.get(numbers);
    return numbers;
  }

  /** What it follows. */
  LeadingFeatures leading() {
    return leading;
  }

  /**
   * Quantiles at {@link #LEVELS} of each model at step t; empty when nothing recent is known, of
   * the history or of a leading series.
   */
  Optional<double[][]> quantiles(DemandHistory history, int t) {
    double last = history.newest(t, recent);
    double recentMax = history.max(t - recent, t);
    if (Double.isNaN(last) || Double.isNaN(recentMax) || !leading.areKnown(history, t)) {
      return Optional.empty();
    }
    double[] row = row(features, leading, history, t);
    return Optional.of(
        new double[][] {
          Levels.shifted(aboveLast.predict(row), last),
          Levels.shifted(aboveRecentMax.predict(row), recentMax)
        });
  }
}
