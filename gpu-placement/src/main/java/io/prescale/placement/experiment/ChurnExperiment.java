package io.prescale.placement.experiment;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.experiment.Churn.Visit;
import io.prescale.placement.fragmentation.Fragmentation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** An experiment in which requests arrive and leave; one that does not fit is dropped. */
public final class ChurnExperiment {
  private ChurnExperiment() {}

  /** The number of samples, each over an equal part of the time. */
  public static final int SAMPLES = 20;

  /**
   * The means over one part of the time.
   *
   * @param untilSecond the end of the part
   */
  public record Sample(long untilSecond, double unallocatedPercent, double fragmentedPercent) {}

  /**
   * The averages over the time between the first and the last begin.
   *
   * @param unallocatedPercent unallocated GPU, in percent of the cluster's GPU
   * @param fragmentedPercent idle GPU that the workload cannot use, in percent of the cluster's GPU
   * @param samples means over parts of the time; fewer than {@value #SAMPLES} for very short times
   */
  public record Outcome(
      int placed,
      int refused,
      double unallocatedPercent,
      double fragmentedPercent,
      List<Sample> samples) {
    public Outcome {
      samples = List.copyOf(samples);
    }
  }

  /** A placement and the second when it ends. */
  private record Departure(long second, Placement placement) {}

  /**
   * Places visits in the order of their begin.
   *
   * @param fragmentation measures the cluster; may differ from that of the placer's policy
   * @throws IllegalArgumentException when no time passes between the first and the last
   */
  public static Outcome run(
      ClusterSnapshot cluster, List<Visit> visits, Placer placer, Fragmentation fragmentation) {
    long end = visits.isEmpty() ? 0 : visits.getLast().fromSecond();
    var run = new Run(new ClusterLoad(cluster, fragmentation), placer, end);
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
    private final long end;
    private final List<Optional<Sample>> samples = new ArrayList<>();
    private final TimeMeans all = new TimeMeans();
    private TimeMeans part = new TimeMeans();

    Run(ClusterLoad load, Placer placer, long end) {
      this.load = load;
      this.placer = placer;
      this.end = end;
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
      if (placer.place(load.cluster(), visit.request()) instanceof Placed result) {
        load.add(result.placement());
        departures.add(new Departure(visit.toSecond(), result.placement()));
        placed++;
      } else {
        refused++;
      }
    }

    private void passTo(long next) {
      while (samples.size() < SAMPLES && endOfPart() <= next) {
        long until = endOfPart();
        pass(until - second);
        second = until;
        samples.add(part.sample(until));
        part = new TimeMeans();
      }
      pass(next - second);
      second = next;
    }

    private long endOfPart() {
      return end * (samples.size() + 1) / SAMPLES;
    }

    private void pass(long seconds) {
      all.add(seconds, load);
      part.add(seconds, load);
    }

    Outcome outcome() {
      if (all.seconds == 0) {
        throw new IllegalArgumentException("all visits begin in one second: no time to measure");
      }
      var means = all.sample(second).orElseThrow();
      return new Outcome(
          placed,
          refused,
          means.unallocatedPercent(),
          means.fragmentedPercent(),
          samples.stream().flatMap(Optional::stream).toList());
    }
  }

  /** Means of percentages, weighted by time. */
  private static final class TimeMeans {
    private double seconds;
    private double unallocated;
    private double fragmented;

    void add(long wholeSeconds, ClusterLoad load) {
      double passed = wholeSeconds;
      seconds += passed;
      unallocated += passed * load.unallocatedPercent();
      fragmented += passed * load.fragmentedPercent();
    }

    /** Empty when no time has passed. */
    Optional<Sample> sample(long until) {
      return seconds == 0
          ? Optional.empty()
          : Optional.of(new Sample(until, unallocated / seconds, fragmented / seconds));
    }
  }
}
