package io.prescale.controller.autoscaling;

import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakMember;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Set;

/**
 * How a target's demand is forecast, whatever its lead time is at the moment.
 *
 * @param step length of an observation's step, whole seconds from 1 s to 1 h; also the loop's tick
 * @param window length of the window whose highest demand is forecast, at least a step
 * @param remember how much history is kept, 6 h to 366 d and at most {@value #MOST_STEPS} steps
 * @param refitEvery at most this long between refits
 * @param zone whose clock the daily and weekly seasons follow
 * @param calendar declared events and excluded windows
 * @param seed of the sampling in the fits
 * @param members what is combined, at least one
 */
public record ForecastSettings(
    Duration step,
    Duration window,
    Duration remember,
    Duration refitEvery,
    ZoneId zone,
    EventCalendar calendar,
    long seed,
    Set<PeakMember> members) {
  /** The longest lead time that a forecast looks ahead. */
  public static final Duration LONGEST_LEAD = Duration.ofDays(1);

  /** The most steps that a forecaster keeps, which bounds its memory. */
  public static final int MOST_STEPS = 50_000;

  public ForecastSettings {
    if (!step.equals(step.truncatedTo(ChronoUnit.SECONDS))) {
      throw new IllegalArgumentException("step must be whole seconds: " + DurationInWords.of(step));
    }
    if (remember.dividedBy(step) > MOST_STEPS) {
      throw new IllegalArgumentException(
          "remember must be at most %d steps of %s: %s"
              .formatted(MOST_STEPS, DurationInWords.of(step), DurationInWords.of(remember)));
    }
    members = Set.copyOf(members);
    // The forecaster knows the bounds of the rest.
    new PeakSettings(
        step, Duration.ZERO, window, zone, calendar, refitEvery, remember, seed, members);
  }

  /** One-minute steps, a five-minute window, UTC, a refit every four hours, four weeks kept. */
  public static ForecastSettings defaults() {
    return new ForecastSettings(
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofDays(28),
        Duration.ofHours(4),
        ZoneOffset.UTC,
        EventCalendar.empty(),
        1,
        PeakSettings.EVERY_MEMBER);
  }

  /** The number of steps of history that is kept. */
  public int steps() {
    return Math.toIntExact(remember.dividedBy(step));
  }

  /** The beginning of the step in which a time lies. */
  public Instant stepBegin(Instant time) {
    return TimeSeries.stepBegin(time, step);
  }

  /** What a forecaster with this lead time is to do; a lead beyond the longest is cut. */
  PeakSettings forLead(Duration lead) {
    Duration bounded = lead.compareTo(LONGEST_LEAD) > 0 ? LONGEST_LEAD : lead;
    return new PeakSettings(
        step, bounded, window, zone, calendar, refitEvery, remember, seed, members);
  }
}
