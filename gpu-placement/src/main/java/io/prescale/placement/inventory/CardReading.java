package io.prescale.placement.inventory;

import io.prescale.placement.cluster.GpuHealth;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The newest values that an exporter reports about a card.
 *
 * @param utilisationPercent of its compute
 * @param complaint why a card is sick
 */
public record CardReading(
    GpuHealth health, OptionalInt utilisationPercent, Optional<String> complaint) {
  public CardReading {
    if (complaint.isPresent() != (health.state() == GpuHealth.State.UNHEALTHY)) {
      throw new IllegalArgumentException(
          "a card is %s, but: %s".formatted(health.state(), complaint));
    }
  }

  private static final int HEAT_STEP = 5;
  private static final int LUKEWARM = 75;
  private static final int PERCENT = 100;
  private static final int MODERATE_PERCENT = 85;

  /**
   * The condition as coarsely as placement looks at it, so that a degree more or less changes
   * nothing: heat in steps of 5 °C, power in steps of 5 % of its limit.
   */
  public GpuHealth coarse() {
    var coarse =
        GpuHealth.UNKNOWN
            .withState(health.state())
            .withErrors(
                health.correctedEcc() > 0 ? 1 : 0,
                health.uncorrectedEcc() > 0 ? 1 : 0,
                health.xids())
            .withThrottled(health.throttled());
    if (health.temperatureCelsius().isPresent()) {
      int steps = health.temperatureCelsius().getAsInt() / HEAT_STEP * HEAT_STEP;
      coarse = coarse.withTemperature(Math.max(LUKEWARM, steps));
    }
    int limit = health.powerLimitWatts().orElse(0);
    if (limit > 0 && health.powerWatts().isPresent()) {
      long percent = (long) health.powerWatts().getAsInt() * PERCENT / limit;
      coarse =
          coarse.withPower(
              (int) Math.max(MODERATE_PERCENT, percent / HEAT_STEP * HEAT_STEP), PERCENT);
    }
    return coarse;
  }

  /** The same condition with another utilisation. */
  CardReading withUtilisation(OptionalInt percent) {
    return new CardReading(health, percent, complaint);
  }

  /** Whether the card must not be given to any pod. */
  public boolean isSick() {
    return health.state() == GpuHealth.State.UNHEALTHY;
  }
}
