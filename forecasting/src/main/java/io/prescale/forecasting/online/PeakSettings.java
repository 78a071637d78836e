package io.prescale.forecasting.online;

import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The settings of a {@link PeakForecaster}.
 *
 * @param step length of an observation's step, at most an hour
 * @param lead time from now to the window's beginning, such as a cold start
 * @param window length of the window whose highest demand is forecast
 * @param zone whose clock the daily and weekly seasons follow
 * @param calendar declared events and excluded windows
 * @param refitEvery longest time between refits, the first of which comes after an hour and 24
 *     steps
 * @param remember how much history is kept
 * @param seed of the sampling in the fits
 * @param members what is combined, at least one; while none of them can forecast, the recent peak
 *     is used
 */
public record PeakSettings(
    Duration step,
    Duration lead,
    Duration window,
    ZoneId zone,
    EventCalendar calendar,
    Duration refitEvery,
    Duration remember,
    long seed,
    Set<PeakMember> members) {
  public static final Set<PeakMember> EVERY_MEMBER =
      Collections.unmodifiableSet(EnumSet.allOf(PeakMember.class));

  private static final Duration LONGEST_STEP = Duration.ofHours(1);
  private static final Duration LONGEST_LEAD = Duration.ofDays(1);

  public PeakSettings {
    requireWithin("step", step, Duration.ofSeconds(1), LONGEST_STEP);
    requireWithin("lead", lead, Duration.ZERO, LONGEST_LEAD);
    requireWithin("window", window, step, LONGEST_LEAD);
    requireWithin("refitEvery", refitEvery, step, Duration.ofDays(7));
    requireWithin("remember", remember, Duration.ofHours(6), Duration.ofDays(366));
    if (members.isEmpty()) {
      throw new IllegalArgumentException("members must not be empty");
    }
    members = Set.copyOf(members);
  }

  private static void requireWithin(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s: %s"
              .formatted(
                  name,
                  DurationInWords.of(least),
                  DurationInWords.of(most),
                  DurationInWords.of(value)));
    }
  }

  /** One-minute steps, a five-minute window, UTC, a refit every four hours, four weeks kept. */
  public static PeakSettings forLead(Duration lead) {
    return new PeakSettings(
        Duration.ofMinutes(1),
        lead,
        Duration.ofMinutes(5),
        ZoneOffset.UTC,
        EventCalendar.empty(),
        Duration.ofHours(4),
        Duration.ofDays(28),
        1,
        EVERY_MEMBER);
  }

  public PeakSettings withZone(ZoneId newZone) {
    return new PeakSettings(
        step, lead, window, newZone, calendar, refitEvery, remember, seed, members);
  }

  public PeakSettings withCalendar(EventCalendar newCalendar) {
    return new PeakSettings(
        step, lead, window, zone, newCalendar, refitEvery, remember, seed, members);
  }

  public PeakSettings withSeed(long newSeed) {
    return new PeakSettings(
        step, lead, window, zone, calendar, refitEvery, remember, newSeed, members);
  }
}
