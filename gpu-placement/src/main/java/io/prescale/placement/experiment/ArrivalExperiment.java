package io.prescale.placement.experiment;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.fragmentation.Fragmentation;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests arrive one after another and never leave; one that does not fit is dropped (the method
 * of Weng et al., ATC'23, §6).
 */
public final class ArrivalExperiment {
  private ArrivalExperiment() {}

  /**
   * The state of the cluster after some arrivals.
   *
   * @param arrivedPercent what has been asked so far, as a part of the cluster's GPU
   * @param unallocatedPercent GPU that nobody has, as a part of the cluster's GPU
   * @param fragmentedPercent idle GPU that the workload could not use, as a part of the same
   */
  public record Sample(int arrivedPercent, double unallocatedPercent, double fragmentedPercent) {}

  /**
   * What came of all arrivals.
   *
   * @param samples one at each 10 % of arrival, and the last
   */
  public record Outcome(int placed, int refused, List<Sample> samples) {
    public Outcome {
      samples = List.copyOf(samples);
    }

    /** At the end. */
    public double unallocatedPercent() {
      return samples.getLast().unallocatedPercent();
    }
  }

  /**
   * Lets requests arrive in their order.
   *
   * @param fragmentation measures the cluster; need not be the one of the placer's policy
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
