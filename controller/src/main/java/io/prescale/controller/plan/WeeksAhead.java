package io.prescale.controller.plan;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.plan.DemandAhead.Bounds;
import java.util.Arrays;
import java.util.List;

/**
 * The cards that services need together in coming weeks, each week in its highest step, as
 * scenarios.
 *
 * <p>A coming week runs as a past one did, as a whole and with all services as they were in it: a
 * block bootstrap (Künsch, Annals of Statistics 17, 1989; Efron, Annals of Statistics 7, 1979),
 * with blocks of a week. Its level is that of the week before, times a past growth; so errors of
 * the growth add up, as in bootstrapped forecasts (Hyndman and Athanasopoulos, FPP3, §5.5).
 */
public final class WeeksAhead {
  /** By scenario and week. */
  private final double[][] cards;

  private WeeksAhead(double[][] cards) {
    this.cards = cards;
  }

  /**
   * A service.
   *
   * @param bounds how many replicas there may be, from one step to another, from the first of the
   *     coming weeks on
   * @param cards that a replica asks for
   */
  public record Service(PastWeeks past, List<Bounds> bounds, double cards) {
    public Service {
      bounds = List.copyOf(bounds);
      if (!(cards >= 0 && Double.isFinite(cards))) {
        throw new IllegalArgumentException("a replica asks for " + cards + " cards");
      }
    }
  }

  /** A service with its bounds by step. */
  private static final class Stepped {
    private final Service service;
    private final int[] fewest;
    private final int[] most;

    private Stepped(Service service, int[] fewest, int[] most) {
      this.service = service;
      this.fewest = fewest;
      this.most = most;
    }

    static Stepped of(Service service, int steps) {
      int known = service.bounds().stream().mapToInt(Bounds::steps).sum();
      if (known < steps) {
        throw new IllegalArgumentException("bounds of %d of %d steps".formatted(known, steps));
      }
      var fewest = new int[known];
      var most = new int[known];
      int step = 0;
      for (var each : service.bounds()) {
        Arrays.fill(fewest, step, step + each.steps(), each.fewest());
        Arrays.fill(most, step, step + each.steps(), each.most());
        step += each.steps();
      }
      return new Stepped(service, fewest, most);
    }

    /** Adds the cards of a week in a scenario. */
    void add(WeekDraws draws, int week, double level, double[] sum) {
      var profile = service.past().profile(draws, week);
      double scale = level * service.past().stretch(draws, week);
      for (int step = 0; step < PastWeeks.STEPS; step++) {
        int at = week * PastWeeks.STEPS + step;
        int wanted = Math.max(fewest[at], HpaRules.replicasFor(profile[step] * scale, 1));
        sum[step] += service.cards() * Math.min(most[at], wanted);
      }
    }
  }

  /**
   * Tries all scenarios. O(services · scenarios · steps of the weeks).
   *
   * @param factor by which every demand is multiplied
   */
  public static WeeksAhead of(List<Service> services, List<WeekDraws> draws, double factor) {
    if (services.isEmpty() || draws.isEmpty()) {
      throw new IllegalArgumentException("scenarios need services and draws");
    }
    int weeks = draws.getFirst().weeks().size();
    var stepped = services.stream().map(it -> Stepped.of(it, weeks * PastWeeks.STEPS)).toList();
    return new WeeksAhead(
        draws.stream().map(it -> highest(stepped, it, weeks, factor)).toArray(double[][]::new));
  }

  private static double[] highest(
      List<Stepped> services, WeekDraws draws, int weeks, double factor) {
    var levels = services.stream().mapToDouble(it -> it.service.past().level()).toArray();
    var highest = new double[weeks];
    for (int week = 0; week < weeks; week++) {
      var sum = new double[PastWeeks.STEPS];
      for (int i = 0; i < levels.length; i++) {
        levels[i] *= Math.exp(services.get(i).service.past().growth(draws, week));
        services.get(i).add(draws, week, levels[i] * factor, sum);
      }
      highest[week] = Arrays.stream(sum).max().orElse(0);
    }
    return highest;
  }

  /** The cards that suffice in a week, from 1 on, with this probability. */
  public double inWeek(int week, double level) {
    return quantile(Arrays.stream(cards).mapToDouble(it -> it[week - 1]).toArray(), level);
  }

  /** The cards that suffice in all of the first weeks with this probability. */
  public double within(int weeks, double level) {
    return quantile(highest(weeks), level);
  }

  /** The probability that more are needed in any of the first weeks. */
  public double probabilityAbove(int weeks, double there) {
    return Arrays.stream(highest(weeks)).filter(it -> it > there + 1e-9).count()
        / (double) cards.length;
  }

  private double[] highest(int weeks) {
    return Arrays.stream(cards)
        .mapToDouble(it -> Arrays.stream(it).limit(weeks).max().orElse(0))
        .toArray();
  }

  private static double quantile(double[] values, double level) {
    Arrays.sort(values);
    int index = (int) Math.ceil(level * values.length - 1e-9) - 1;
    return values[Math.clamp(index, 0, values.length - 1)];
  }
}
