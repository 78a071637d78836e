package io.prescale.placement.cluster;

import java.util.List;
import java.util.OptionalInt;

/**
 * What is known of a card's condition. An unknown reading is empty, never zero.
 *
 * @param state whether the card may be given to new requests
 * @param temperatureCelsius of the card's core
 * @param powerWatts drawn now
 * @param powerLimitWatts enforced limit
 * @param correctedEcc corrected memory errors since the driver was loaded
 * @param uncorrectedEcc uncorrected memory errors since the driver was loaded
 * @param xids codes of NVIDIA's XID errors, oldest first; with repetitions
 * @param throttled whether the clocks are held down for heat or power now
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

  /** A usable card of which nothing is known. */
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
