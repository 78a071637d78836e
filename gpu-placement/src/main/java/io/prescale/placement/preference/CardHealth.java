package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/**
 * Cards without signs of trouble: an uncorrected memory error weighs more than any number of other
 * signs, an XID error or throttling one each. Counts the signs over the cards taken.
 */
public record CardHealth() implements Preference {
  private static final int UNCORRECTED = 4;

  @Override
  public String name() {
    return "healthiest cards";
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    return cards -> {
      long signs = 0;
      for (int rest = cards.bits(); rest != 0; rest &= rest - 1) {
        signs += signs(node.gpu(Integer.numberOfTrailingZeros(rest)).health());
      }
      return signs;
    };
  }

  /** Whether a card shows no sign of trouble. */
  public static boolean isSound(GpuHealth health) {
    return signs(health) == 0;
  }

  private static int signs(GpuHealth health) {
    return (health.uncorrectedEcc() > 0 ? UNCORRECTED : 0)
        + (health.xids().isEmpty() ? 0 : 1)
        + (health.throttled() ? 1 : 0);
  }
}
