package io.prescale.controller.schedules;

import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How replicas may grow from the fewest that there are.
 *
 * @param steps what is allowed in each minute in which more are, in order
 */
public record Ramp(List<Step> steps) {
  /** As many as a person reads, and few enough for hundreds of windows. */
  private static final int MOST_EARLIER = 10;

  /**
   * The replicas that are allowed by the end of a step.
   *
   * @param begin when the first of them is allowed, after the first of all steps
   * @param end when the last is, within the same minute
   */
  public record Step(Duration begin, Duration end, int replicas) {
    public Step {
      if (begin.isNegative() || end.compareTo(begin) < 0 || replicas < 1) {
        throw new IllegalArgumentException(
            "%d replicas from %s to %s".formatted(replicas, begin, end));
      }
    }
  }

  public Ramp {
    steps = List.copyOf(steps);
  }

  /** Any number of replicas is allowed at once. */
  public static Ramp none() {
    return new Ramp(List.of());
  }

  /**
   * What must be asked for how many minutes before a number of replicas, so that it is allowed in
   * time: at most {@value #MOST_EARLIER} numbers, each rather too early than too late. Empty where
   * it takes less than a minute.
   */
  NavigableMap<Long, Integer> before(int replicas) {
    var earlier = new TreeMap<Long, Integer>();
    var allowed = timeOf(replicas);
    long grain = Math.ceilDiv(allowed.toMinutes(), MOST_EARLIER);
    for (var step : steps) {
      var left = allowed.minus(step.begin());
      if (grain > 0 && left.isPositive()) {
        long minutes = Math.ceilDiv(left.toSeconds(), 60);
        earlier.put(Math.ceilDiv(minutes, grain) * grain, Math.min(step.replicas(), replicas));
      }
    }
    return earlier;
  }

  private Duration timeOf(int replicas) {
    return steps.stream()
        .filter(it -> it.replicas() >= replicas)
        .findFirst()
        .or(() -> steps.reversed().stream().findFirst())
        .map(Step::end)
        .orElse(Duration.ZERO);
  }
}
