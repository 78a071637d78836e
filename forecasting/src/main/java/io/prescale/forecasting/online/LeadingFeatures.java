package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * What leading series say at step t of the highest demand in {@code [t + lead, t + lead + window)}:
 * each at the lag at which its rises have announced those of the demand best, in the unit of the
 * demand. All is known before step t.
 */
final class LeadingFeatures {
  /** The number of features of each series. */
  static final int OF_A_SERIES = 7;

  private static final int MOST_ROWS = 1500;
  private static final int FEWEST_ROWS = 100;
  private static final Duration NOW = Duration.ofMinutes(10);
  private static final int RECENT_STEPS = 3;
  private static final Duration DAY = Duration.ofDays(1);

  /** Lags up to the first are tried at every step, up to the others at every 2nd, 5th and 10th. */
  private static final Duration[] LAGS = {
    Duration.ofMinutes(30), Duration.ofHours(1), Duration.ofHours(3), Duration.ofHours(6)
  };

  private static final int[] EVERY = {1, 2, 5, 10};

  private final List<Lagged> series;
  private final int lead;
  private final int window;

  /** A series and its lag in steps. */
  record Lagged(LeadingSeries series, int lag) {}

  private LeadingFeatures(List<Lagged> series, int lead, int window) {
    this.series = series;
    this.lead = lead;
    this.window = window;
  }

  /** Features of no series. */
  static LeadingFeatures none() {
    return new LeadingFeatures(List.of(), 0, 0);
  }

  /**
   * Learns the lags from a history: of those up to six hours, the one at which the rise that a
   * series announces is most correlated with the rise that came. Series of which too little is
   * known, or nothing at the end, are left out. O(1500 · lags · window).
   */
  static LeadingFeatures learn(
      List<LeadingSeries> all, DemandHistory demand, int lead, int window, long seed) {
    var lagged =
        all.stream()
            .map(it -> new Lagged(it, lag(it, demand, lead, window, seed)))
            .filter(it -> it.lag() > 0 && isKnown(it, demand, demand.size()));
    return new LeadingFeatures(lagged.toList(), lead, window);
  }

  /** The lag of a series; 0 when none is found. */
  private static int lag(
      LeadingSeries series, DemandHistory demand, int lead, int window, long seed) {
    int now = demand.steps(NOW);
    int first = demand.oldest() + now;
    int candidates = demand.size() - lead - window - first;
    int count = Math.min(MOST_ROWS, candidates);
    if (count < FEWEST_ROWS) {
      return 0;
    }
    var random = new SplittableRandom(seed);
    int[] moments =
        IntStream.range(0, count)
            .map(i -> TrainingRows.moment(i, count, first, candidates, random))
            .toArray();
    double[] came =
        Arrays.stream(moments)
            .mapToDouble(
                t ->
                    demand.ordinaryPeak(t + lead, t + lead + window)
                        - demand.ordinaryMean(t - now, t))
            .toArray();
    int best = 0;
    double highest = 0;
    for (int lag : lags(demand).toArray()) {
      var one = new LeadingFeatures(List.of(new Lagged(series, lag)), lead, window);
      double correlation = one.correlation(demand, moments, came, now);
      if (correlation > highest) {
        highest = correlation;
        best = lag;
      }
    }
    return best;
  }

  private static IntStream lags(DemandHistory demand) {
    return IntStream.range(0, LAGS.length)
        .flatMap(
            part -> {
              int after = part == 0 ? 0 : demand.steps(LAGS[part - 1]);
              int every = EVERY[part];
              return IntStream.rangeClosed(1, (demand.steps(LAGS[part]) - after) / every)
                  .map(i -> after + i * every);
            });
  }

  private double correlation(DemandHistory demand, int[] moments, double[] came, int now) {
    var both = new SimpleRegression();
    for (int i = 0; i < moments.length; i++) {
      double announced = announcedPeak(demand, moments[i], series.getFirst());
      double said = announcedNow(demand, moments[i], series.getFirst(), now);
      if (!Double.isNaN(came[i] + announced + said)) {
        both.addData(announced - said, came[i]);
      }
    }
    return both.getN() < FEWEST_ROWS ? 0 : both.getR();
  }

  /** The highest value where the lag leads into the window, or the newest before that. */
  private double announcedPeak(DemandHistory demand, int t, Lagged lagged) {
    int from = Math.min(t + lead - lagged.lag(), t - 1);
    return lagged.series().max(demand, from, Math.min(t, t + lead + window - lagged.lag()));
  }

  /** What the series said, one lag ago, of the current demand. */
  private static double announcedNow(DemandHistory demand, int t, Lagged lagged, int now) {
    return lagged.series().mean(demand, t - lagged.lag() - now, t - lagged.lag());
  }

  List<Lagged> series() {
    return series;
  }

  /** The series and their lags, for explanations. */
  List<ForecastParts.Leading> explained(Duration step) {
    return series.stream()
        .map(it -> new ForecastParts.Leading(it.series().name(), step.multipliedBy(it.lag())))
        .toList();
  }

  /** Whether each series was known within the last three steps: models go by what all say. */
  boolean areKnown(DemandHistory demand, int t) {
    return series.stream().allMatch(it -> isKnown(it, demand, t));
  }

  private static boolean isKnown(Lagged lagged, DemandHistory demand, int t) {
    return !Double.isNaN(lagged.series().mean(demand, t - RECENT_STEPS, t));
  }

  /** The features of all series at step t, NaN where unknown. O(steps of a day) a series. */
  double[] at(DemandHistory demand, int t) {
    double[] row = new double[series.size() * OF_A_SERIES];
    int now = demand.steps(NOW);
    double newest = demand.newest(t, now);
    double present = demand.mean(t - now, t);
    for (int s = 0; s < series.size(); s++) {
      var it = series.get(s);
      double unit = unit(demand, t, it);
      double peak = unit * announcedPeak(demand, t, it);
      double said = unit * announcedNow(demand, t, it, now);
      double recent = unit * it.series().mean(demand, t - now, t);
      int at = s * OF_A_SERIES;
      row[at] = peak - said;
      row[at + 1] = peak - newest;
      row[at + 2] = present - said;
      row[at + 3] = recent - said;
      row[at + 4] = unit * it.series().mean(demand, t - 2, t) - recent;
      row[at + 5] = recent - unit * it.series().mean(demand, t - 6 * now, t);
      row[at + 6] = unit * it.series().max(demand, t - it.lag(), t) - present;
    }
    return row;
  }

  /** Demand for one of the series' unit, by the means of the last day; NaN unless above 0. */
  private static double unit(DemandHistory demand, int t, Lagged lagged) {
    int day = demand.steps(DAY);
    double unit =
        demand.ordinaryMean(t - day, t)
            / lagged.series().mean(demand, t - day - lagged.lag(), t - lagged.lag());
    return unit > 0 && Double.isFinite(unit) ? unit : Double.NaN;
  }
}
