package io.prescale.controller.schedules;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/**
 * How replicas may grow from the fewest that there are.
 *
 * @param steps how many are allowed how long after the first step, ascending in both
 */
public record Ramp(List<Step> steps) {
  /** So many replicas, so long after or before another. */
  public record Step(Duration time, int replicas) {}

  public Ramp {
    steps = List.copyOf(steps);
  }

  /** Any number of replicas is allowed at once. */
  public static Ramp none() {
    return new Ramp(List.of());
  }

  /** How long the whole of it takes. */
  public Duration length() {
    return steps.isEmpty() ? Duration.ZERO : steps.getLast().time();
  }

  /**
   * What must be asked for how long before a number of replicas, so that it is allowed in time; the
   * times are rounded down to whole minutes.
   */
  List<Step> before(int replicas) {
    var allowed =
        steps.stream().filter(it -> it.replicas() >= replicas).findFirst().map(Step::time);
    var byMinute = new TreeMap<Long, Integer>();
    for (var step : steps) {
      long minutes = allowed.orElse(length()).minus(step.time()).toMinutes();
      if (minutes > 0) {
        byMinute.put(minutes, step.replicas());
      }
    }
    return byMinute.entrySet().stream()
        .map(it -> new Step(Duration.ofMinutes(it.getKey()), it.getValue()))
        .toList();
  }
}
