package io.prescale.controller.plan;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The past weeks of one service's demand, taken apart into the level of each, its mean, and the
 * profile: the demand in each step relative to the level. Counted back from the newest, which is 0;
 * they begin and end when the newest does, on whichever day that is.
 */
public final class PastWeeks {
  public static final Duration STEP = Duration.ofMinutes(15);

  /** Steps in a week. */
  public static final int STEPS = (int) Duration.ofDays(7).dividedBy(STEP);

  /** Two changes from one week to the next; one has no spread. */
  public static final int FEWEST = 3;

  /** The part of its steps from which on a week is known; gaps are filled from other weeks. */
  private static final double KNOWN = 0.9;

  /** A week's level is at least this part of the highest, so that demand may come back. */
  private static final double LOWEST = 0.1;

  /** Replicas beyond these are not believed. */
  private static final double MOST = 1e9;

  private final double[][] profiles;

  /** Where each week is among those that are known; negative where it is not. */
  private final int[] places;

  /** The same of the changes, by the week to which they led: all but the oldest that is known. */
  private final int[] changes;

  /** The logarithm of the ratio of its level to that of the week before that is known. */
  private final double[] growths;

  /** How far the peak of each profile, in logarithms, lies above the mean of all. */
  private final double[] peaks;

  private final double level;
  private final double drift;
  private final double meanGrowth;

  /** What there is of a past. */
  public sealed interface Known {
    /** Weeks enough. */
    record Enough(PastWeeks weeks) implements Known {}

    /** Fewer; the highest demand that is known is assumed at all times. A sentence says so. */
    record Assumed(PastWeeks weeks, String sentence) implements Known {}

    /** No demand at all; a sentence says so. */
    record Nothing(String sentence) implements Known {}
  }

  private PastWeeks(double[][] profiles, double[] levels, int[] known) {
    this.profiles = profiles;
    this.places = places(known);
    this.changes = places(Arrays.copyOf(known, known.length - 1));
    this.level = levels[0];
    this.growths =
        IntStream.range(0, levels.length - 1)
            .mapToDouble(i -> Math.log(levels[i] / levels[i + 1]) / (known[i + 1] - known[i]))
            .toArray();
    this.meanGrowth = mean(growths);
    this.drift = meanGrowth * trust();
    var highest = Arrays.stream(profiles).mapToDouble(it -> Math.log(max(it))).toArray();
    double mean = mean(Arrays.stream(highest).filter(Double::isFinite).toArray());
    this.peaks = Arrays.stream(highest).map(it -> Double.isFinite(it) ? it - mean : 0).toArray();
  }

  /**
   * Reads a demand. O(steps · weeks).
   *
   * @param demand in replicas with fractions, of whole weeks, the newest step last; NaN where it is
   *     unknown
   */
  public static Known of(double[] demand) {
    if (demand.length == 0 || demand.length % STEPS != 0) {
      throw new IllegalArgumentException(demand.length + " steps are no whole weeks");
    }
    var believed =
        Arrays.stream(demand)
            .map(it -> it >= 0 && Double.isFinite(it) ? Math.min(it, MOST) : Double.NaN)
            .toArray();
    int count = demand.length / STEPS;
    var all =
        IntStream.range(0, count)
            .mapToObj(
                k -> Arrays.copyOfRange(believed, (count - 1 - k) * STEPS, (count - k) * STEPS))
            .toList();
    var known = IntStream.range(0, count).filter(k -> count(all.get(k)) >= KNOWN * STEPS).toArray();
    var weeks = Arrays.stream(known).mapToObj(all::get).toArray(double[][]::new);
    if (weeks.length >= FEWEST) {
      return new Known.Enough(of(weeks, known));
    }
    double peak = max(believed);
    return count(believed) == 0
        ? new Known.Nothing("no demand is known.")
        : new Known.Assumed(
            constant(peak),
            "%d whole %s of demand are known and %d are needed; its highest, of %.1f replicas, is assumed at all times."
                .formatted(weeks.length, weeks.length == 1 ? "week" : "weeks", FEWEST, peak)
                .replace("1 whole week of demand are", "1 whole week of demand is"));
  }

  private static PastWeeks constant(double demand) {
    var profile = new double[STEPS];
    Arrays.fill(profile, 1);
    return new PastWeeks(new double[][] {profile}, new double[] {demand}, new int[] {0});
  }

  /** Where each is that is listed; negative where none is. */
  private static int[] places(int[] listed) {
    var places = new int[listed.length == 0 ? 0 : listed[listed.length - 1] + 1];
    Arrays.fill(places, -1);
    for (int i = 0; i < listed.length; i++) {
      places[listed[i]] = i;
    }
    return places;
  }

  private static PastWeeks of(double[][] weeks, int[] known) {
    var filled =
        IntStream.range(0, weeks.length).mapToObj(k -> filled(weeks, k)).toArray(double[][]::new);
    var levels = Arrays.stream(filled).mapToDouble(PastWeeks::mean).toArray();
    double least = Math.max(LOWEST * max(levels), 1 / MOST);
    for (int k = 0; k < levels.length; k++) {
      levels[k] = Math.max(least, levels[k]);
      for (int step = 0; step < STEPS; step++) {
        filled[k][step] /= levels[k];
      }
    }
    return new PastWeeks(filled, levels, known);
  }

  /** A week with what the same steps of the others were, relative to them, where it has gaps. */
  private static double[] filled(double[][] weeks, int k) {
    double own = mean(weeks[k]);
    return IntStream.range(0, STEPS)
        .mapToDouble(
            step -> Double.isNaN(weeks[k][step]) ? own * usual(weeks, step) : weeks[k][step])
        .toArray();
  }

  private static double usual(double[][] weeks, int step) {
    double usual =
        mean(
            Arrays.stream(weeks)
                .mapToDouble(week -> week[step] / mean(week))
                .filter(Double::isFinite)
                .toArray());
    return Double.isNaN(usual) ? 1 : usual;
  }

  /**
   * How far the mean growth is trusted to go on: t² / (1 + t²), by its ratio t to its standard
   * error, so that what may be chance is mostly left out.
   */
  private double trust() {
    int n = growths.length;
    double squares = Arrays.stream(growths).map(it -> (it - meanGrowth) * (it - meanGrowth)).sum();
    double error = squares / (n * Math.max(1.0, n - 1.0));
    double square = meanGrowth * meanGrowth;
    return n < 2 || square == 0 ? 0 : square / (square + error);
  }

  /** Of how many weeks the past consists. */
  int count() {
    return profiles.length;
  }

  /** The mean demand of the newest week. */
  double level() {
    return level;
  }

  /** The growth of a coming week, as a logarithm, when it grows as a past one did. */
  double growth(WeekDraws draws, int week) {
    int n = growths.length;
    if (n < 2) {
      return 0;
    }
    double error = growths[draws.growth(week, changes, n)] - meanGrowth;
    return drift + error * Math.sqrt(n / (n - 1.0)) * draws.width(n);
  }

  /** The profile of a coming week, which runs as a past one did. */
  double[] profile(WeekDraws draws, int week) {
    return profiles[draws.week(week, places, count())];
  }

  /** By how much that profile is stretched, as few weeks do not show how far peaks may differ. */
  double stretch(WeekDraws draws, int week) {
    double n = count();
    double width = n < 2 ? 1 : Math.sqrt(n / (n - 1)) * draws.width(count());
    return Math.exp(peaks[draws.week(week, places, count())] * (width - 1));
  }

  private static long count(double[] values) {
    return Arrays.stream(values).filter(it -> !Double.isNaN(it)).count();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).filter(it -> !Double.isNaN(it)).average().orElse(Double.NaN);
  }

  private static double max(double[] values) {
    return Arrays.stream(values).filter(it -> !Double.isNaN(it)).max().orElse(0);
  }
}
