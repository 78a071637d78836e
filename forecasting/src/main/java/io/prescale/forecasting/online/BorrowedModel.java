package io.prescale.forecasting.online;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.boosting.QuantileBoosting;
import io.prescale.forecasting.online.AnchoredTrees.Anchors;
import io.prescale.forecasting.relatives.Relative;
import io.prescale.forecasting.relatives.Relatives;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * {@link AnchoredTrees} for a service that has hardly a history, fitted to the first two days of
 * others: weeks of relatives are cut into pieces, each a new service to the features. All demand is
 * divided by the mean of the last day, or of what is known of it, so that a service of any size can
 * borrow (a global model: Montero-Manso and Hyndman 2021).
 *
 * <p>A quarter of the rows come from all relatives alike, the others from those whose shape is the
 * nearest to what the service has shown so far, or from its predecessor where that is known.
 */
final class BorrowedModel {
  private static final int ROWS = 6000;
  private static final int MIN_ROWS = 500;
  private static final int NEAREST = 4;
  private static final Duration NEW = Duration.ofDays(2);

  /** The day of the week, the last feature, says nothing where each day was seen once. */
  private static final int UNKNOWN_DAY = 0;

  private static final QuantileBoosting.Settings FIT =
      new QuantileBoosting.Settings(150, 0.1, 8, 0.6, 50, 0.7, 0);

  private final PeakFeatures features;
  private final AnchoredTrees trees;
  private final int relatives;

  private BorrowedModel(PeakFeatures features, AnchoredTrees trees, int relatives) {
    this.features = features;
    this.trees = trees;
    this.relatives = relatives;
  }

  /** Fits the models for a service with this history; empty without enough relatives' demand. */
  static Optional<BorrowedModel> fit(
      Relatives all, DemandHistory own, int lead, int window, long seed) {
    var series = own.ordinarySeries();
    var usable = all.ofStep(series);
    var features = new PeakFeatures(own, lead, window, new int[0]);
    var sampling = new Sampling(own, features, lead + window, new SplittableRandom(seed));
    sampling.add(usable.all(), ROWS / 4);
    sampling.add(usable.nearest(series, NEAREST), ROWS - ROWS / 4);
    var rows = sampling.rows;
    if (rows.size() < MIN_ROWS) {
      return Optional.empty();
    }
    return Optional.of(
        new BorrowedModel(features, AnchoredTrees.fit(rows, FIT, false), usable.size()));
  }

  /** How many services it was fitted to. */
  int relatives() {
    return relatives;
  }

  /**
   * Quantiles at {@link AnchoredTrees#LEVELS} of each model; empty when nothing recent is known.
   */
  Optional<double[][]> quantiles(DemandHistory history, int t) {
    var anchors = Anchors.of(history, t);
    double unit = unit(history, t);
    return anchors.areKnown() && !Double.isNaN(unit)
        ? Optional.of(trees.quantiles(row(features, history, t, unit), anchors, unit))
        : Optional.empty();
  }

  /** The mean of the last day, or of what is known of it; NaN unless above 0. */
  private static double unit(DemandHistory history, int t) {
    double mean = history.ordinaryMean(t - history.steps(Duration.ofDays(1)), t);
    return mean > 0 ? mean : Double.NaN;
  }

  private static double[] row(PeakFeatures features, DemandHistory history, int t, double unit) {
    double[] row = features.at(history, t);
    for (int k = 0; k < row.length - PeakFeatures.OF_THE_CALENDAR; k++) {
      row[k] /= unit;
    }
    row[row.length - 1] = UNKNOWN_DAY;
    return row;
  }

  /** Draws rows at random moments of the relatives' lives as new services. */
  private static final class Sampling {
    final TrainingRows rows = new TrainingRows();
    private final DemandHistory own;
    private final PeakFeatures features;
    private final int span;
    private final SplittableRandom random;

    Sampling(DemandHistory own, PeakFeatures features, int span, SplittableRandom random) {
      this.own = own;
      this.features = features;
      this.span = span;
      this.random = random;
    }

    /** Adds up to so many rows, one in each of as many equal stretches of the pieces. */
    void add(List<Relative> relatives, int wanted) {
      var pieces = new ArrayList<DemandHistory>();
      relatives.forEach(it -> pieces.addAll(pieces(it)));
      long moments = pieces.stream().mapToLong(DemandHistory::size).sum();
      double due = 0;
      for (var piece : pieces) {
        due += (double) wanted * piece.size() / moments;
        addRows(piece, (int) due);
        due -= (int) due;
      }
    }

    /** A relative as new services, the first of which begins at a random moment. */
    private List<DemandHistory> pieces(Relative relative) {
      var demand = relative.demand();
      int length = own.steps(NEW);
      var pieces = new ArrayList<DemandHistory>();
      for (int from = random.nextInt(length) - length; from < demand.size(); from += length) {
        int first = Math.max(0, from);
        int end = Math.min(demand.size(), from + length);
        if (end - first > span + 1) {
          var zone = own.clock().zone();
          var holidays = new EventCalendar(List.of(), List.of(), own.calendar().holidays());
          var piece =
              new DemandHistory(demand.time(first), own.step(), zone, holidays, end - first);
          for (int i = first; i < end; i++) {
            piece.add(demand.value(i));
          }
          pieces.add(piece);
        }
      }
      return pieces;
    }

    private void addRows(DemandHistory piece, int count) {
      int candidates = piece.size() - span - 1;
      for (int i = 0; i < count; i++) {
        int t = TrainingRows.moment(i, count, 1, candidates, random);
        double target = features.target(piece, t);
        var anchors = Anchors.of(piece, t);
        double unit = unit(piece, t);
        if (!Double.isNaN(target + unit) && anchors.areKnown()) {
          rows.add(row(features, piece, t, unit), anchors.rises(target, unit));
        }
      }
    }
  }
}
