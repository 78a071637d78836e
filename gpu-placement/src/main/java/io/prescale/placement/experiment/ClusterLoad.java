package io.prescale.placement.experiment;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.fragmentation.Fragmentation;

/** A cluster that changes during an experiment, and how full it is. */
final class ClusterLoad {
  private final Fragmentation fragmentation;
  private final long capacityMilli;
  private ClusterSnapshot cluster;
  private long allocatedMilli;

  ClusterLoad(ClusterSnapshot cluster, Fragmentation fragmentation) {
    this.cluster = cluster;
    this.fragmentation = fragmentation;
    capacityMilli = cluster.nodes().mapToLong(node -> node.cards()).sum() * Gpu.WHOLE_MILLI;
    if (capacityMilli == 0) {
      throw new IllegalArgumentException("the cluster has no GPU");
    }
    allocatedMilli = cluster.placements().mapToLong(ClusterLoad::milliOf).sum();
  }

  ClusterSnapshot cluster() {
    return cluster;
  }

  long capacityMilli() {
    return capacityMilli;
  }

  void add(Placement placement) {
    cluster = cluster.with(placement);
    allocatedMilli += milliOf(placement);
  }

  void remove(Placement placement) {
    cluster = cluster.without(placement);
    allocatedMilli -= milliOf(placement);
  }

  double unallocatedPercent() {
    return 100.0 * (capacityMilli - allocatedMilli) / capacityMilli;
  }

  double fragmentedPercent() {
    return 100.0 * fragmentation.milliOf(cluster) / capacityMilli;
  }

  private static long milliOf(Placement placement) {
    return placement.shares().stream().mapToLong(GpuShare::computeMilli).sum();
  }
}
