package io.prescale.placement.preference;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/**
 * Prefers the fullest cards of a node, or the emptiest.
 *
 * @param spread whether to prefer the emptiest
 */
public record CardPacking(boolean spread) implements Preference {
  @Override
  public String name() {
    return spread ? "emptiest card" : "fullest card";
  }

  @Override
  public String inWords(long cost) {
    return "%.2f cards free".formatted((double) Math.abs(cost) / Gpu.WHOLE_MILLI);
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    return cards -> {
      long free = 0;
      for (int rest = cards.bits(); rest != 0; rest &= rest - 1) {
        free += node.freeMilli(Integer.numberOfTrailingZeros(rest));
      }
      return spread ? -free : free;
    };
  }
}
