package io.prescale.placement.preference;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/**
 * The node with the least idle GPU, counted in steps of two cards: of places that are equally good,
 * it fills begun nodes and leaves untouched ones whole. Finer steps decide too much by chance.
 */
public record LeastIdle() implements Preference {
  private static final long STEP_MILLI = 2L * Gpu.WHOLE_MILLI;

  @Override
  public String name() {
    return "least idle node";
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    long steps = FreeMilli.of(node) / STEP_MILLI;
    return _ -> steps;
  }
}
