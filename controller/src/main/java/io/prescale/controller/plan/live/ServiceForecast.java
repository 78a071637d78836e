package io.prescale.controller.plan.live;

import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.plan.DayAhead;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.DemandAhead.Bounds;
import io.prescale.controller.plan.PastWeeks;
import io.prescale.controller.schedules.ReplicaBounds;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What is known of a service's next day.
 *
 * @param past levels of what came in earlier forecasts, by step
 * @param needed the replicas that the demand of steps that have passed amounted to
 * @param price of a replica that is missing, in replicas that are idle as long
 */
record ServiceForecast(
    DemandAhead demand, Map<Instant, Double> past, Map<Instant, Integer> needed, double price) {
  /** The length of a step. */
  static final Duration STEP = PastWeeks.STEP;

  /** How far back it is kept what was needed. */
  private static final Duration SEEN = Duration.ofHours(6);

  ServiceForecast {
    past = Map.copyOf(past);
    needed = Map.copyOf(needed);
  }

  /**
   * Of the forecasts of all metrics of a target: replicas are the most that any asks for, and they
   * are taken to be high together.
   *
   * @param metrics in the order of the settings
   */
  static ServiceForecast of(List<DayAhead> metrics, TargetSettings settings, Duration lead) {
    var first = metrics.getFirst().path();
    int steps = metrics.stream().mapToInt(it -> it.path().steps()).min().orElseThrow();
    var origin = first.origin();
    var bounds =
        IntStream.range(0, steps).mapToObj(h -> bounds(settings, first.time(h), lead)).toList();
    var demand =
        DemandAhead.of(
            origin,
            STEP,
            steps,
            (h, level) ->
                highest(
                    metrics.size(),
                    m -> metrics.get(m).path().quantile(h, level) / capacity(settings, m)),
            DemandAhead.joined(bounds));
    return new ServiceForecast(
        demand,
        metrics.getFirst().past(),
        needed(metrics, settings, origin, lead),
        settings.risk().shortagePrice());
  }

  private static double capacity(TargetSettings settings, int metric) {
    return settings.metrics().get(metric).capacityPerReplica();
  }

  private static double highest(int metrics, IntToDoubleFunction demand) {
    return IntStream.range(0, metrics).mapToDouble(demand).max().orElse(0);
  }

  /** How many replicas there may be at the given time. */
  static Bounds bounds(TargetSettings settings, Instant time, Duration lead) {
    var scheduled = settings.schedules().boundsAt(time, lead);
    int fewest = scheduled.floor().map(ReplicaBounds.Bound::replicas).orElse(0);
    int max = scheduled.most(settings.hpa().maxReplicas());
    return new Bounds(1, Math.min(max, Math.max(settings.hpa().minReplicas(), fewest)), max);
  }

  private static Map<Instant, Integer> needed(
      List<DayAhead> metrics, TargetSettings settings, Instant origin, Duration lead) {
    var needed = new HashMap<Instant, Integer>();
    for (var at = origin.minus(SEEN); at.isBefore(origin); at = at.plus(STEP)) {
      var step = at;
      var peaks = metrics.stream().map(it -> it.highest(step)).toList();
      if (peaks.stream().allMatch(OptionalDouble::isPresent)) {
        double demand = highest(peaks.size(), m -> peaks.get(m).orElse(0) / capacity(settings, m));
        var bound = bounds(settings, step, lead);
        double most = Math.min(bound.most(), Math.ceil(demand - 1e-9));
        needed.put(step, Math.max(bound.fewest(), (int) most));
      }
    }
    return needed;
  }

  OptionalInt needed(Instant at) {
    var known = needed.get(at);
    return known == null ? OptionalInt.empty() : OptionalInt.of(known);
  }
}
