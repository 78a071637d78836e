package io.prescale.adapter;

import java.time.Instant;

/**
 * A value to serve from a moment on, unless a newer one is computed.
 *
 * @param at when the value becomes due
 * @param milliValue thousandths of the metric's unit; not negative
 */
public record PlannedValue(Instant at, long milliValue) {
  public PlannedValue {
    if (milliValue < 0) {
      throw new IllegalArgumentException(
          "a planned value of %d m is negative".formatted(milliValue));
    }
  }
}
