package io.prescale.forecasting.online;

import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.ZoneId;

/**
 * The settings of a {@link PathForecaster}.
 *
 * @param observedEvery step of the observations
 * @param step step of the forecast, a multiple of {@code observedEvery}
 * @param horizon how far ahead, a multiple of {@code step}
 * @param zone whose clock the daily and weekly seasons follow
 * @param calendar declared events and excluded windows
 * @param remember how much history is kept, at least two steps and the horizon
 * @param seed of the sampling in the fits
 */
public record PathSettings(
    Duration observedEvery,
    Duration step,
    Duration horizon,
    ZoneId zone,
    EventCalendar calendar,
    Duration remember,
    long seed) {
  private static final int MOST_STEPS = 20_000;
  private static final int MOST_OBSERVATIONS = 10_000_000;

  public PathSettings {
    requireMultiple("step", step, "the step of the observations", observedEvery);
    requireMultiple("horizon", horizon, "the step", step);
    if (horizon.dividedBy(step) > MOST_STEPS) {
      throw new IllegalArgumentException(
          "a horizon of %s has more than %d steps of %s"
              .formatted(DurationInWords.of(horizon), MOST_STEPS, DurationInWords.of(step)));
    }
    if (remember.compareTo(horizon) < 0) {
      throw new IllegalArgumentException(
          "remember must be at least the horizon, %s: %s"
              .formatted(DurationInWords.of(horizon), DurationInWords.of(remember)));
    }
    if (remember.compareTo(step.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "remember must be at least two steps of %s: %s"
              .formatted(DurationInWords.of(step), DurationInWords.of(remember)));
    }
    if (remember.dividedBy(observedEvery) > MOST_OBSERVATIONS) {
      throw new IllegalArgumentException(
          "remember must be at most %,d observations of %s: %s"
              .formatted(
                  MOST_OBSERVATIONS,
                  DurationInWords.of(observedEvery),
                  DurationInWords.of(remember)));
    }
  }

  private static void requireMultiple(String name, Duration value, String of, Duration unit) {
    if (!unit.isPositive() || !value.isPositive() || value.toNanos() % unit.toNanos() != 0) {
      throw new IllegalArgumentException(
          "%s must be a multiple of %s, %s: %s"
              .formatted(name, of, DurationInWords.of(unit), DurationInWords.of(value)));
    }
  }
}
