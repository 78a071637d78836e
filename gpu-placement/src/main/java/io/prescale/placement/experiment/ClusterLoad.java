package io.prescale.placement.experiment;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.fragmentation.Fragmentation;

/** The changing cluster of an experiment, and its allocation and fragmentation. */
final class ClusterLoad {
  private final Fragmentation fragmentation;
  private final long capacityMilli;
  private ClusterSnapshot cluster;
  private long allocatedMilli;
  private long fragmentedWeight;

  ClusterLoad(ClusterSnapshot cluster, Fragmentation fragmentation) {
    this.cluster = cluster;
    this.fragmentation = fragmentation;
    capacityMilli = cluster.nodes().mapToLong(GpuNode::cards).sum() * Gpu.WHOLE_MILLI;
    if (capacityMilli == 0) {
      throw new IllegalArgumentException("the cluster has no GPU");
    }
    allocatedMilli = cluster.placements().mapToLong(ClusterLoad::milliOf).sum();
    fragmentedWeight = cluster.nodes().mapToLong(node -> fragmentation.profile(node).now()).sum();
  }

  ClusterSnapshot cluster() {
    return cluster;
  }

  long capacityMilli() {
    return capacityMilli;
  }

  void add(Placement placement) {
    change(placement, cluster.with(placement), 1);
  }

  void remove(Placement placement) {
    change(placement, cluster.without(placement), -1);
  }

  private void change(Placement placement, ClusterSnapshot next, int sign) {
    fragmentedWeight += fragmentation(next, placement) - fragmentation(cluster, placement);
    allocatedMilli += sign * milliOf(placement);
    cluster = next;
  }

  private long fragmentation(ClusterSnapshot snapshot, Placement placement) {
    return fragmentation.profile(snapshot.find(placement.node()).orElseThrow()).now();
  }

  double unallocatedPercent() {
    return 100.0 * (capacityMilli - allocatedMilli) / capacityMilli;
  }

  double fragmentedPercent() {
    return 100.0 * fragmentedWeight / fragmentation.totalWeight() / capacityMilli;
  }

  private static long milliOf(Placement placement) {
    return placement.shares().stream().mapToLong(GpuShare::computeMilli).sum();
  }
}
