package io.prescale.forecasting;

import java.time.Instant;

/**
 * A time that models do not learn from, such as an incident.
 *
 * @param end exclusive
 */
public record ExcludedWindow(String reason, Instant start, Instant end) {
  public ExcludedWindow {
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException(
          "excluded window \"%s\" must start before it ends: it starts at %s and ends at %s"
              .formatted(reason, start, end));
    }
  }
}
