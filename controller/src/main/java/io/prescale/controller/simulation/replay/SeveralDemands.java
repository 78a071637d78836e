package io.prescale.controller.simulation.replay;

import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Several demands on the same replicas by the minute, each in the replicas that carry it, over the
 * same time. The HPA follows the highest at every moment, so replicas fall short exactly when they
 * are fewer than {@code highest}.
 *
 * @param highest at every minute the highest that is known
 * @param each as long as {@code highest}; NaN where it is not known
 */
public record SeveralDemands(TimeSeries highest, List<TimeSeries> each) {

  /**
   * A demand by the minute.
   *
   * @param capacityPerReplica what one ready replica carries of it
   */
  public record Load(TimeSeries demand, double capacityPerReplica) {
    public Load {
      if (!demand.step().equals(ReplaySettings.MINUTE)) {
        throw new IllegalArgumentException("a demand by steps of " + demand.step());
      }
      if (!(capacityPerReplica > 0 && Double.isFinite(capacityPerReplica))) {
        throw new IllegalArgumentException("capacity per replica " + capacityPerReplica);
      }
    }
  }

  public SeveralDemands {
    each = List.copyOf(each);
  }

  /** Over the time that any of them covers; O(minutes · loads). */
  public static SeveralDemands of(List<Load> loads) {
    var demands = loads.stream().map(Load::demand).toList();
    Instant start =
        demands.stream().map(TimeSeries::start).min(Comparator.naturalOrder()).orElseThrow();
    Instant end =
        demands.stream().map(TimeSeries::end).max(Comparator.naturalOrder()).orElseThrow();
    int minutes = Math.toIntExact(Duration.between(start, end).dividedBy(ReplaySettings.MINUTE));
    double[] highest = new double[minutes];
    Arrays.fill(highest, Double.NaN);
    var each = new ArrayList<TimeSeries>();
    for (Load load : loads) {
      double[] replicas = new double[minutes];
      for (int i = 0; i < minutes; i++) {
        int at = load.demand().indexOf(start.plus(ReplaySettings.MINUTE.multipliedBy(i)));
        boolean isCovered = at >= 0 && at < load.demand().size();
        replicas[i] = isCovered ? load.demand().value(at) / load.capacityPerReplica() : Double.NaN;
        highest[i] = Double.isNaN(highest[i]) ? replicas[i] : larger(highest[i], replicas[i]);
      }
      each.add(TimeSeries.of(start, ReplaySettings.MINUTE, replicas));
    }
    return new SeveralDemands(TimeSeries.of(start, ReplaySettings.MINUTE, highest), each);
  }

  /**
   * A demand that is known for less than half of the scored time, so that the others alone would
   * decide.
   *
   * @param index in {@link #each}
   * @param share of the scored minutes in which it is known; 0 to 1
   */
  public record HardlyKnown(int index, double share) {}

  /** The first demand that is hardly known in the scored time; empty without any to score. */
  public Optional<HardlyKnown> hardlyKnown(ReplaySettings settings) {
    for (int i = 0; i < each.size(); i++) {
      var all = each.get(i);
      var scored = all.slice((int) Math.min(settings.skipMinutes(), all.size()), all.size());
      if (scored.presentCount() < Replay.LEAST_OBSERVED * scored.size()) {
        return Optional.of(new HardlyKnown(i, (double) scored.presentCount() / scored.size()));
      }
    }
    return Optional.empty();
  }

  private static double larger(double known, double other) {
    return Double.isNaN(other) ? known : Math.max(known, other);
  }
}
