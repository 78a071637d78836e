package io.prescale.placement.cluster;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The known condition of a card. An unknown reading is empty, never zero.
 *
 * @param state whether new requests may be placed on the card
 * @param temperatureCelsius temperature of the card's core
 * @param powerWatts current power draw
 * @param powerLimitWatts enforced power limit
 * @param correctedEcc corrected memory errors since the driver was loaded
 * @param uncorrectedEcc uncorrected memory errors since the driver was loaded
 * @param xids codes of NVIDIA's XID errors, oldest first; with repetitions
 * @param throttled whether clocks are currently reduced because of heat or power
 */
public record GpuHealth(
    State state,
    OptionalInt temperatureCelsius,
    OptionalInt powerWatts,
    OptionalInt powerLimitWatts,
    long correctedEcc,
    long uncorrectedEcc,
    List<Integer> xids,
    boolean throttled) {

  /** Whether a card may be used. */
  public enum State {
    USABLE,
    CORDONED,
    UNHEALTHY
  }

  /**
   * Codes that faulty applications cause (NVIDIA/k8s-device-plugin, {@code internal/rm/health.go}).
   */
  public static final Set<Integer> XIDS_OF_APPLICATIONS = Set.of(13, 31, 43, 45, 68, 109);

  /** The health of a usable card without readings. */
  public static final GpuHealth UNKNOWN =
      new GpuHealth(
          State.USABLE,
          OptionalInt.empty(),
          OptionalInt.empty(),
          OptionalInt.empty(),
          0,
          0,
          List.of(),
          false);

  public GpuHealth {
    xids = List.copyOf(xids);
    requireNotNegative("powerWatts", powerWatts.orElse(0));
    requireNotNegative("powerLimitWatts", powerLimitWatts.orElse(0));
    requireNotNegative("correctedEcc", correctedEcc);
    requireNotNegative("uncorrectedEcc", uncorrectedEcc);
  }

  public GpuHealth withState(State newState) {
    return new GpuHealth(
        newState,
        temperatureCelsius,
        powerWatts,
        powerLimitWatts,
        correctedEcc,
        uncorrectedEcc,
        xids,
        throttled);
  }

  public GpuHealth withTemperature(int celsius) {
    return new GpuHealth(
        state,
        OptionalInt.of(celsius),
        powerWatts,
        powerLimitWatts,
        correctedEcc,
        uncorrectedEcc,
        xids,
        throttled);
  }

  public GpuHealth withPower(int watts, int limitWatts) {
    return new GpuHealth(
        state,
        temperatureCelsius,
        OptionalInt.of(watts),
        OptionalInt.of(limitWatts),
        correctedEcc,
        uncorrectedEcc,
        xids,
        throttled);
  }

  public GpuHealth withErrors(long corrected, long uncorrected, List<Integer> codes) {
    return new GpuHealth(
        state,
        temperatureCelsius,
        powerWatts,
        powerLimitWatts,
        corrected,
        uncorrected,
        codes,
        throttled);
  }

  public GpuHealth withThrottled(boolean held) {
    return new GpuHealth(
        state,
        temperatureCelsius,
        powerWatts,
        powerLimitWatts,
        correctedEcc,
        uncorrectedEcc,
        xids,
        held);
  }

  private static void requireNotNegative(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + " is " + value + ", below 0");
    }
  }
}
