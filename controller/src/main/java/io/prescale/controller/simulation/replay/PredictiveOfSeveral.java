package io.prescale.controller.simulation.replay;

import io.prescale.controller.schedules.Schedules;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Prescale for several demands on the same replicas: each has a forecast and a value of its own,
 * and the HPA follows the highest. While one of them is unknown, the HPA removes no replicas.
 *
 * <p>Its quantiles are the highest of the demands' own, which the highest demand stays within less
 * often than promised: either may exceed.
 */
public final class PredictiveOfSeveral implements ReplayPolicy {
  private final List<Part> parts;

  /** One demand, and how much of it has been observed so far. */
  private static final class Part {
    private final Predictive policy;
    private final TimeSeries demand;
    private final double[] observed;

    Part(Predictive policy, TimeSeries demand) {
      this.policy = policy;
      this.demand = demand;
      this.observed = new double[demand.size()];
      Arrays.fill(observed, Double.NaN);
    }

    Served next(View view) {
      int newest = view.minute() - 1;
      if (newest >= 0) {
        observed[newest] = demand.value(newest);
      }
      return policy.next(
          new View(
              view.time(0), view.minute(), observed, view.currentReplicas(), view.readyReplicas()));
    }
  }

  /**
   * A policy that has seen nothing yet.
   *
   * @param demands those whose highest is replayed, in replicas
   * @param settings of a replay in replicas: the capacity of one is 1
   */
  public PredictiveOfSeveral(
      SeveralDemands demands,
      ReplaySettings settings,
      PeakSettings peak,
      Caution caution,
      Schedules schedules) {
    if (settings.capacityPerReplica() != 1) {
      throw new IllegalArgumentException(
          "demands in replicas, and a capacity of " + settings.capacityPerReplica());
    }
    this.parts =
        demands.each().stream()
            .map(
                demand ->
                    new Part(
                        new Predictive(settings, peak, caution, schedules, OtherSeries.none()),
                        demand))
            .toList();
  }

  @Override
  public String name() {
    return "Prescale";
  }

  @Override
  public Served next(View view) {
    var served = parts.stream().map(part -> part.next(view)).toList();
    var deciding =
        served.stream()
            .filter(it -> it.value().isPresent())
            .max(Comparator.comparingDouble(it -> it.value().getAsDouble()));
    if (deciding.isEmpty()) {
      return served.getFirst();
    }
    boolean allKnown = served.stream().allMatch(it -> it.value().isPresent());
    double value = deciding.get().value().getAsDouble();
    return new Served(
        allKnown || value >= view.currentReplicas()
            ? OptionalDouble.of(value)
            : OptionalDouble.empty(),
        highest(served),
        deciding.get().rationale());
  }

  private static Optional<Quantiles> highest(List<Served> served) {
    var all = served.stream().flatMap(it -> it.quantiles().stream()).toList();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Quantiles(
                highest(all, Quantiles::p50),
                highest(all, Quantiles::p90),
                highest(all, Quantiles::p95),
                highest(all, Quantiles::p99)));
  }

  private static double highest(List<Quantiles> all, ToDoubleFunction<Quantiles> level) {
    return all.stream().mapToDouble(level).max().orElseThrow();
  }
}
