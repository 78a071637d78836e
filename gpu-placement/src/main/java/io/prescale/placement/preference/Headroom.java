package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/**
 * Prefers cards that are far from throttling: counts steps of 5 °C from 80 °C on and steps of 5 %
 * of the power limit from 90 % on, over the cards taken. An unknown reading counts as good.
 */
public record Headroom() implements Preference {
  private static final int WARM_CELSIUS = 80;
  private static final int CELSIUS_STEP = 5;
  private static final int HIGH_PERCENT = 90;
  private static final int PERCENT_STEP = 5;

  @Override
  public String name() {
    return "headroom for heat and power";
  }

  @Override
  public String inWords(long cost) {
    return switch ((int) cost) {
      case 0 -> "none known to be too warm";
      case 1 -> "1 step too warm";
      default -> "%d steps too warm".formatted(cost);
    };
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    return cards -> {
      long steps = 0;
      for (int rest = cards.bits(); rest != 0; rest &= rest - 1) {
        var health = node.gpu(Integer.numberOfTrailingZeros(rest)).health();
        steps += heat(health) + power(health);
      }
      return steps;
    };
  }

  private static int heat(GpuHealth health) {
    int celsius = health.temperatureCelsius().orElse(0);
    return celsius < WARM_CELSIUS ? 0 : 1 + (celsius - WARM_CELSIUS) / CELSIUS_STEP;
  }

  private static int power(GpuHealth health) {
    int limit = health.powerLimitWatts().orElse(0);
    if (limit == 0) {
      return 0;
    }
    long percent = 100L * health.powerWatts().orElse(0) / limit;
    return percent < HIGH_PERCENT ? 0 : 1 + (int) (percent - HIGH_PERCENT) / PERCENT_STEP;
  }
}
