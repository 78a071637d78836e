package io.prescale.placement.inventory;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuHealth.State;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The fields of AMD's <a href="https://github.com/ROCm/device-metrics-exporter">device-metrics-
 * exporter</a>. The label {@code gpu_uuid} is not among its defaults.
 */
final class AmdFields {
  static final String PREFIX = "gpu_";
  static final String HEALTH = "health";
  static final String FIELDS =
      "junction_temperature|edge_temperature|package_power|average_package_power"
          + "|ecc_correct_total|ecc_uncorrect_total|gfx_activity";

  private static final int PERCENT = 100;

  private AmdFields() {}

  /** A card is sick when the exporter's own rules, or the tests it runs, say so. */
  static CardReading reading(CardFields fields) {
    boolean sick = fields.whole(HEALTH, 1).equals(OptionalInt.of(0));
    var health =
        GpuHealth.UNKNOWN
            .withState(sick ? State.UNHEALTHY : State.USABLE)
            .withErrors(
                fields.errors("ecc_correct_total"),
                fields.errors("ecc_uncorrect_total"),
                List.of());
    health = fields.withTemperature(health, "junction_temperature", "edge_temperature");
    health = fields.withPower(health, 0, "package_power", "average_package_power");
    return new CardReading(
        health,
        fields.whole("gfx_activity", PERCENT),
        sick ? Optional.of("AMD's exporter reports that it is unhealthy") : Optional.empty());
  }
}
