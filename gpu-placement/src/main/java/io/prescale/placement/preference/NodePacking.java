package io.prescale.placement.preference;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/**
 * Prefers the node with the largest share of its GPU in use, or the smallest; among nodes without
 * cards, by the share of CPU.
 *
 * @param spread whether to prefer the smallest
 */
public record NodePacking(boolean spread) implements Preference {
  private static final long SCALE = 1000;

  @Override
  public String name() {
    return spread ? "emptiest node" : "fullest node";
  }

  @Override
  public String inWords(long cost) {
    return "%.1f %% used".formatted((spread ? cost : SCALE - cost) * 100.0 / SCALE);
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    long used = node.cards() == 0 ? usedCpu(node) : usedGpu(node);
    long cost = spread ? used : SCALE - used;
    return _ -> cost;
  }

  private static long usedGpu(GpuNode node) {
    long whole = (long) node.cards() * Gpu.WHOLE_MILLI;
    return SCALE * (whole - node.freeMilli()) / whole;
  }

  private static long usedCpu(GpuNode node) {
    long whole = Math.max(1, node.spec().cpuMilli());
    return SCALE * (whole - node.freeCpuMilli()) / whole;
  }
}
