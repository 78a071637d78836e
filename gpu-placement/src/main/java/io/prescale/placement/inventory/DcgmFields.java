package io.prescale.placement.inventory;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuHealth.State;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The fields of NVIDIA's dcgm-exporter.
 *
 * <p>A card is sick when its last XID is not one that applications cause, or when memory rows could
 * not be remapped. The exporter repeats the last XID until the driver starts anew; then the card is
 * well again.
 */
final class DcgmFields {
  static final String PREFIX = "DCGM_FI_";
  static final String ENGINE_ACTIVE = "PROF_GR_ENGINE_ACTIVE";
  static final String FIELDS =
      "DEV_(GPU_UTIL|GPU_TEMP|POWER_USAGE|POWER_MGMT_LIMIT|XID_ERRORS|ROW_REMAP_FAILURE"
          + "|ECC_SBE_VOL_TOTAL|ECC_DBE_VOL_TOTAL|CORRECTABLE_REMAPPED_ROWS"
          + "|UNCORRECTABLE_REMAPPED_ROWS|CLOCKS_EVENT_REASONS|CLOCK_THROTTLE_REASONS)"
          + "|PROF_GR_ENGINE_ACTIVE";

  /** Fields that say whether a card is sick. */
  static final Set<String> CONDITION = Set.of("DEV_XID_ERRORS", "DEV_ROW_REMAP_FAILURE");

  /** HW slowdown, SW and HW thermal slowdown, power brake ({@code nvml.h}). */
  private static final int THROTTLED = 0x08 | 0x20 | 0x40 | 0x80;

  private static final List<String> REASONS =
      List.of("DEV_CLOCKS_EVENT_REASONS", "DEV_CLOCK_THROTTLE_REASONS");
  private static final int MOST_WATTS = 100_000;
  private static final int MOST_XID = 100_000;
  private static final int PERCENT = 100;

  private DcgmFields() {}

  static CardReading reading(CardFields fields) {
    int xid = fields.whole("DEV_XID_ERRORS", MOST_XID).orElse(0);
    boolean isLost = xid != 0 && !GpuHealth.XIDS_OF_APPLICATIONS.contains(xid);
    boolean hasBadRows = fields.whole("DEV_ROW_REMAP_FAILURE", MOST_XID).orElse(0) > 0;
    var health =
        GpuHealth.UNKNOWN
            .withState(isLost || hasBadRows ? State.UNHEALTHY : State.USABLE)
            .withErrors(
                errors(fields, "DEV_ECC_SBE_VOL_TOTAL", "DEV_CORRECTABLE_REMAPPED_ROWS"),
                errors(fields, "DEV_ECC_DBE_VOL_TOTAL", "DEV_UNCORRECTABLE_REMAPPED_ROWS"),
                xid == 0 ? List.of() : List.of(xid))
            .withThrottled(isThrottled(fields));
    health = fields.withTemperature(health, "DEV_GPU_TEMP");
    int limit = fields.whole("DEV_POWER_MGMT_LIMIT", MOST_WATTS).orElse(0);
    health = fields.withPower(health, limit, "DEV_POWER_USAGE");
    return new CardReading(health, utilisation(fields), complaint(isLost, hasBadRows, xid));
  }

  private static Optional<String> complaint(boolean isLost, boolean hasBadRows, int xid) {
    if (isLost) {
      return Optional.of("its last XID error is " + xid);
    }
    return hasBadRows ? Optional.of("rows of its memory could not be remapped") : Optional.empty();
  }

  private static boolean isThrottled(CardFields fields) {
    return REASONS.stream()
        .anyMatch(name -> (fields.whole(name, Integer.MAX_VALUE).orElse(0) & THROTTLED) != 0);
  }

  /** The utilisation says that some kernel ran; the engine's activity, where known, says more. */
  private static OptionalInt utilisation(CardFields fields) {
    var active = fields.known(ENGINE_ACTIVE, 1);
    return active.isPresent()
        ? OptionalInt.of((int) Math.round(active.getAsDouble() * PERCENT))
        : fields.whole("DEV_GPU_UTIL", PERCENT);
  }

  private static long errors(CardFields fields, String name, String otherwise) {
    return fields.errors(fields.has(name) ? name : otherwise);
  }
}
