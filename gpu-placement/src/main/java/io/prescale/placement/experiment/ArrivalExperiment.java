package io.prescale.placement.experiment;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.fragmentation.Fragmentation;
import java.util.ArrayList;
import java.util.List;

/**
 * An experiment in which requests arrive one after another and never leave; one that does not fit
 * is dropped (the method of Weng et al., ATC'23, §6).
 */
public final class ArrivalExperiment {
  private ArrivalExperiment() {}

  /**
   * The state of the cluster after some arrivals.
   *
   * @param arrivedPercent GPU requested so far, in percent of the cluster's GPU
   * @param unallocatedPercent unallocated GPU, in percent of the cluster's GPU
   * @param fragmentedPercent idle GPU that the workload cannot use, in percent of the cluster's GPU
   */
  public record Sample(int arrivedPercent, double unallocatedPercent, double fragmentedPercent) {}

  /**
   * The result of all arrivals.
   *
   * @param samples one at each 10 % of arrived GPU, and the last
   */
  public record Outcome(int placed, int refused, List<Sample> samples) {
    public Outcome {
      samples = List.copyOf(samples);
    }

    /** The unallocated GPU at the end, in percent. */
    public double unallocatedPercent() {
      return samples.getLast().unallocatedPercent();
    }
  }

  /**
   * Places requests in the order of their arrival.
   *
   * @param fragmentation measures the cluster; may differ from that of the placer's policy
   */
  public static Outcome run(
      ClusterSnapshot cluster,
      List<GpuRequest> arrivals,
      Placer placer,
      Fragmentation fragmentation) {
    var load = new ClusterLoad(cluster, fragmentation);
    var samples = new ArrayList<Sample>();
    long asked = 0;
    int placed = 0;
    for (int i = 0; i < arrivals.size(); i++) {
      var request = arrivals.get(i);
      long percentBefore = asked * 100 / load.capacityMilli();
      asked += Arrivals.milliOf(request);
      long percent = asked * 100 / load.capacityMilli();
      if (placer.place(load.cluster(), request) instanceof Placed result) {
        load.add(result.placement());
        placed++;
      }
      if (percent / 10 > percentBefore / 10 || i == arrivals.size() - 1) {
        samples.add(new Sample((int) percent, load.unallocatedPercent(), load.fragmentedPercent()));
      }
    }
    return new Outcome(placed, arrivals.size() - placed, samples);
  }
}
