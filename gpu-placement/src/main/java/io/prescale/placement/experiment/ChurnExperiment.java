package io.prescale.placement.experiment;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.experiment.Churn.Visit;
import io.prescale.placement.fragmentation.Fragmentation;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Requests come and go; one that does not fit when it comes is dropped. */
public final class ChurnExperiment {
  private ChurnExperiment() {}

  /**
   * What came of it, on average over the time between the first and the last begin.
   *
   * @param unallocatedPercent GPU that nobody has, as a part of the cluster's GPU
   * @param fragmentedPercent idle GPU that the workload could not use, as a part of the same
   * @param refusedPercent GPU asked by requests that were dropped, as a part of all that was asked
   */
  public record Outcome(
      int placed,
      int refused,
      double unallocatedPercent,
      double fragmentedPercent,
      double refusedPercent) {}

  /** Something placed, and when it leaves. */
  private record Departure(long second, Placement placement) {}

  /**
   * Lets visits begin in their order.
   *
   * @param fragmentation measures the cluster; need not be the one of the placer's policy
   * @throws IllegalArgumentException when no time passes between the first and the last
   */
  public static Outcome run(
      ClusterSnapshot cluster, List<Visit> visits, Placer placer, Fragmentation fragmentation) {
    var run = new Run(new ClusterLoad(cluster, fragmentation), placer);
    visits.forEach(run::begin);
    return run.outcome();
  }

  private static final class Run {
    private final ClusterLoad load;
    private final Placer placer;
    private final PriorityQueue<Departure> departures =
        new PriorityQueue<>(Comparator.comparingLong(Departure::second));
    private long second;
    private int placed;
    private int refused;
    private double askedMilli;
    private double refusedMilli;
    private double seconds;
    private double unallocatedSum;
    private double fragmentedSum;

    Run(ClusterLoad load, Placer placer) {
      this.load = load;
      this.placer = placer;
    }

    void begin(Visit visit) {
      if (visit.fromSecond() < second) {
        throw new IllegalArgumentException(
            visit.request().name() + " begins before the one before");
      }
      for (var next = departures.peek();
          next != null && next.second() <= visit.fromSecond();
          next = departures.peek()) {
        passTo(next.second());
        load.remove(departures.remove().placement());
      }
      passTo(visit.fromSecond());
      long milli = Arrivals.milliOf(visit.request());
      askedMilli += milli;
      if (placer.place(load.cluster(), visit.request()) instanceof Placed result) {
        load.add(result.placement());
        departures.add(new Departure(visit.toSecond(), result.placement()));
        placed++;
      } else {
        refusedMilli += milli;
        refused++;
      }
    }

    private void passTo(long next) {
      double passed = next - second;
      seconds += passed;
      unallocatedSum += passed * load.unallocatedPercent();
      fragmentedSum += passed * load.fragmentedPercent();
      second = next;
    }

    Outcome outcome() {
      if (seconds == 0) {
        throw new IllegalArgumentException("all visits begin in one second: no time to measure");
      }
      return new Outcome(
          placed,
          refused,
          unallocatedSum / seconds,
          fragmentedSum / seconds,
          askedMilli == 0 ? 0 : 100 * refusedMilli / askedMilli);
    }
  }
}
