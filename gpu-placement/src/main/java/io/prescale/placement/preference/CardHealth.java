package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/**
 * Prefers cards without signs of trouble, counted over the cards taken: an uncorrected memory error
 * weighs more than any number of other signs; an XID error of the card or throttling counts one
 * each.
 *
 * <p>XID codes that faulty applications cause are ignored.
 */
public record CardHealth() implements Preference {
  private static final int UNCORRECTED = 4;

  @Override
  public String name() {
    return "healthiest cards";
  }

  @Override
  public String inWords(long cost) {
    return switch ((int) cost) {
      case 0 -> "no known sign of trouble";
      case 1 -> "1 sign of trouble";
      default -> "%d signs of trouble".formatted(cost);
    };
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
        + (GpuHealth.XIDS_OF_APPLICATIONS.containsAll(health.xids()) ? 0 : 1)
        + (health.throttled() ? 1 : 0);
  }
}
