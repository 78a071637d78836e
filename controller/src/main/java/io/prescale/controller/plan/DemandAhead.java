package io.prescale.controller.plan;

import io.prescale.controller.autoscaling.HpaRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;

/**
 * The demand of a workload in each step of the time ahead, as the number of replicas that it
 * amounts to, with fractions, by quantile.
 *
 * @param from the beginning of the first step
 * @param byLevel for each of {@link #LEVELS} a number for every step
 * @param bounds how many replicas there may be, from one step to another; together all steps
 */
public record DemandAhead(
    Instant from, Duration step, List<List<Double>> byLevel, List<Bounds> bounds) {
  /** In percent. */
  public static final List<Integer> LEVELS = List.of(5, 25, 50, 75, 90, 95, 99);

  private static final double PERCENT = 100;

  /** Halvings of the levels between 0 and 1, to a thousandth. */
  private static final int HALVINGS = 10;

  /**
   * How many replicas there may be.
   *
   * @param steps for how many steps that holds
   * @param most beats {@code fewest}
   */
  public record Bounds(int steps, int fewest, int most) {
    public Bounds {
      if (steps < 1 || fewest < 0 || most < 0) {
        throw new IllegalArgumentException(
            "%d to %d replicas for %d steps".formatted(fewest, most, steps));
      }
    }
  }

  public DemandAhead {
    byLevel = byLevel.stream().map(List::copyOf).toList();
    bounds = List.copyOf(bounds);
    if (!step.isPositive() || byLevel.size() != LEVELS.size()) {
      throw new IllegalArgumentException(
          "a demand has a step and %d quantiles: %s, %d"
              .formatted(LEVELS.size(), step, byLevel.size()));
    }
    int steps = bounds.stream().mapToInt(Bounds::steps).sum();
    for (var values : byLevel) {
      if (values.isEmpty()
          || values.size() != steps
          || !values.stream().allMatch(it -> it >= 0 && Double.isFinite(it))) {
        throw new IllegalArgumentException(
            "every quantile of a demand has a finite number from 0 on for each of its steps");
      }
    }
  }

  /** Evaluates a demand by level (a probability) and step. */
  public static DemandAhead of(
      Instant from,
      Duration step,
      int steps,
      ToDoubleBiFunction<Integer, Double> demand,
      List<Bounds> bounds) {
    var byLevel = new ArrayList<List<Double>>();
    for (int level : LEVELS) {
      var values = new ArrayList<Double>(steps);
      for (int h = 0; h < steps; h++) {
        values.add(demand.applyAsDouble(h, level / PERCENT));
      }
      byLevel.add(values);
    }
    return new DemandAhead(from, step, byLevel, bounds);
  }

  public int steps() {
    return byLevel.getFirst().size();
  }

  /** The beginning of step h. */
  public Instant time(int h) {
    return from.plus(step.multipliedBy(h));
  }

  /**
   * The same from another time on; before the first step the demand of the first is assumed.
   *
   * @param begin a whole number of steps from the beginning, such that so many steps are left
   */
  public DemandAhead window(Instant begin, int count) {
    long first = Duration.between(from, begin).dividedBy(step);
    if (count < 1 || !time((int) first).equals(begin) || first + count > steps()) {
      throw new IllegalArgumentException(
          "%d steps from %s are not among the %d from %s".formatted(count, begin, steps(), from));
    }
    var taken = IntStream.range(0, count).map(h -> (int) Math.max(0, h + first)).boxed().toList();
    return new DemandAhead(
        begin,
        step,
        byLevel.stream().map(values -> taken.stream().map(values::get).toList()).toList(),
        joined(taken.stream().map(this::boundsAt).toList()));
  }

  /** Steps in a row with equal bounds as one entry. */
  public static List<Bounds> joined(List<Bounds> single) {
    var joined = new ArrayList<Bounds>();
    for (var next : single) {
      if (!joined.isEmpty()
          && joined.getLast().fewest() == next.fewest()
          && joined.getLast().most() == next.most()) {
        var last = joined.removeLast();
        joined.add(new Bounds(last.steps() + next.steps(), last.fewest(), last.most()));
      } else {
        joined.add(next);
      }
    }
    return joined;
  }

  /**
   * The replicas that the HPA has in a step if its demand lies at a level of its forecast. Between
   * the stored levels demand is interpolated, beyond them it is that of the outermost.
   *
   * @param factor by which demand is multiplied
   */
  public int replicas(int h, double level, double factor) {
    return bounded(h, demand(h, level) * factor);
  }

  /**
   * The probability that the HPA has at least so many replicas in a step. What the lowest quantile
   * needs is certain, and what the highest does not need is impossible.
   */
  public double probability(int h, int replicas) {
    if (replicas(h, 0, 1) >= replicas) {
      return 1;
    }
    if (replicas(h, 1, 1) < replicas) {
      return 0;
    }
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (replicas(h, middle, 1) >= replicas) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return 1 - (low + high) / 2;
  }

  /** The replicas for a demand in a step, which is a number of replicas with fractions. */
  public int bounded(int h, double demand) {
    var bound = boundsAt(h);
    double whole = Math.min(bound.most(), HpaRules.replicasFor(demand, 1));
    return Math.min(bound.most(), Math.max(bound.fewest(), (int) whole));
  }

  private Bounds boundsAt(int h) {
    int left = h;
    for (var each : bounds) {
      left -= each.steps();
      if (left < 0) {
        return new Bounds(1, each.fewest(), each.most());
      }
    }
    throw new IndexOutOfBoundsException(h);
  }

  private double demand(int h, double level) {
    double percent = level * PERCENT;
    for (int i = 0; i < LEVELS.size(); i++) {
      int above = LEVELS.get(i);
      double high = byLevel.get(i).get(h);
      if (percent <= above) {
        if (i == 0) {
          return high;
        }
        int below = LEVELS.get(i - 1);
        double low = byLevel.get(i - 1).get(h);
        return low + (high - low) * (percent - below) / (above - below);
      }
    }
    return byLevel.getLast().get(h);
  }
}
