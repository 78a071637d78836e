package io.prescale.forecasting;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * A change of demand that is known beforehand: a launch, a sale, a holiday.
 *
 * @param end exclusive
 * @param expectedFactor demand during the event relative to an ordinary time; empty if unknown
 */
public record Event(String name, Instant start, Instant end, OptionalDouble expectedFactor) {
  /** Larger factors are refused as mistakes in the declaration. */
  public static final double LARGEST_FACTOR = 1000;

  /** Demand at a smaller factor says nothing about ordinary demand. */
  public static final double LEAST_FACTOR = 0.01;

  /** Shorter events are better left out: little is missed, and a wrong factor leaves no echo. */
  private static final Duration LONGEST_LEFT_OUT = Duration.ofDays(3);

  public Event {
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException(
          "event \"%s\" must start before it ends: it starts at %s and ends at %s"
              .formatted(name, start, end));
    }
    double factor = expectedFactor.orElse(1);
    if (!(factor >= 0 && factor <= LARGEST_FACTOR)) {
      throw new IllegalArgumentException(
          "expected factor of event \"%s\" must be from 0 to %.0f: %s"
              .formatted(name, LARGEST_FACTOR, factor));
    }
  }

  public boolean covers(Instant t) {
    return !t.isBefore(start) && t.isBefore(end);
  }

  /** Whether demand in it, divided by its factor, is learned from, as in a school term. */
  public boolean isLearned() {
    return Duration.between(start, end).compareTo(LONGEST_LEFT_OUT) > 0
        && expectedFactor.orElse(0) >= LEAST_FACTOR;
  }
}
