package io.prescale.placement.inventory;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuHealth.State;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The fields of Ascend's <a href="https://gitee.com/ascend/ascend-npu-exporter">npu-exporter</a>,
 * from version 5 on, which has the label {@code vdie_id}.
 */
final class AscendFields {
  static final String PREFIX = "npu_chip_info_";
  static final String HEALTH = "health_status";
  static final String FIELDS = "temperature|power|utilization|error_code";

  private static final int PERCENT = 100;
  private static final long MOST_CODE = 0xFFFF_FFFFL;

  private AscendFields() {}

  /** A card is sick when its driver says so, as for Ascend's device plugin. */
  static CardReading reading(CardFields fields) {
    boolean sick = fields.whole(HEALTH, 1).equals(OptionalInt.of(0));
    var health = GpuHealth.UNKNOWN.withState(sick ? State.UNHEALTHY : State.USABLE);
    health = fields.withTemperature(health, "temperature");
    health = fields.withPower(health, 0, "power");
    return new CardReading(
        health,
        fields.whole("utilization", PERCENT),
        sick ? Optional.of(complaint(fields)) : Optional.empty());
  }

  private static String complaint(CardFields fields) {
    long code = (long) fields.known("error_code", MOST_CODE).orElse(0);
    return "Ascend's exporter reports that it is unhealthy"
        + (code == 0 ? "" : ", with the error code %X".formatted(code));
  }
}
