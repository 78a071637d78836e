package io.prescale.forecasting.online;

import io.prescale.forecasting.Season;
import io.prescale.forecasting.boosting.QuantileBoosting;
import io.prescale.forecasting.boosting.QuantileTrees;
import io.prescale.forecasting.online.AnchoredTrees.Anchors;
import io.prescale.forecasting.seasonality.SeasonDetector;
import java.nio.BufferUnderflowException;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.Optional;
import org.apache.commons.math3.util.MathArrays;

/** {@link AnchoredTrees} that were fitted to a service's own history. */
final class PeakModel {
  private static final int MIN_ROWS = RefitSchedule.FEWEST_STEPS / 2;

  /** How many seasons besides day and week get features of their own. */
  private static final int MOST_SEASONS = 2;

  private static final Duration UNWARMED = Duration.ofHours(1);

  /** Rises are fitted in the unit of the series. */
  private static final double UNIT = 1;

  private final PeakFeatures features;
  private final LeadingFeatures leading;
  private final AnchoredTrees trees;

  private PeakModel(PeakFeatures features, LeadingFeatures leading, AnchoredTrees trees) {
    this.features = features;
    this.leading = leading;
    this.trees = trees;
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
    var rows = rows(history, features, leading, lead + window, seed);
    if (rows.size() < MIN_ROWS) {
      return Optional.empty();
    }
    int minLeafRows = Math.clamp(rows.size() / 60, 5, 50);
    var settings = new QuantileBoosting.Settings(150, 0.1, 8, 0.6, minLeafRows, 0.7, seed);
    return Optional.of(
        new PeakModel(features, leading, AnchoredTrees.fit(rows, settings, parallel)));
  }

  private static TrainingRows rows(
      DemandHistory history, PeakFeatures features, LeadingFeatures leading, int span, long seed) {
    var rows = new TrainingRows();
    int warmUp = Math.min(history.steps(UNWARMED), (history.size() - history.oldest()) / 4);
    int from = history.oldest() + warmUp;
    int candidates = history.size() - span + 1 - from;
    for (int t : PeakMoments.of(history, features, from, candidates, seed)) {
      double target = features.target(history, t);
      var anchors = Anchors.of(history, t);
      if (!Double.isNaN(target) && anchors.areKnown()) {
        rows.add(row(features, leading, history, t), anchors.rises(target, UNIT));
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
    int[] last = trees.aboveLast().toNumbers();
    int[] recentMax = trees.aboveRecentMax().toNumbers();
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
      int quantiles = AnchoredTrees.LEVELS.length;
      if (!last.isFor(columns, quantiles) || !recentMax.isFor(columns, quantiles)) {
        throw new IllegalArgumentException("holds models of other features");
      }
      return new PeakModel(features, LeadingFeatures.none(), new AnchoredTrees(last, recentMax));
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
   * Quantiles at {@link AnchoredTrees#LEVELS} of each model at step t; empty when nothing recent is
   * known, of the history or of a leading series.
   */
  Optional<double[][]> quantiles(DemandHistory history, int t) {
    var anchors = Anchors.of(history, t);
    return anchors.areKnown() && leading.areKnown(history, t)
        ? Optional.of(trees.quantiles(row(features, leading, history, t), anchors, UNIT))
        : Optional.empty();
  }
}
