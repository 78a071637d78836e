package io.prescale.forecasting;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Set;

/**
 * The local time of each step of a series, so that a season of a day or a week survives the change
 * to and from daylight saving time. Immutable; every method is O(1) for each step and works for
 * steps before and after the series too.
 */
public final class LocalClock {
  private static final int SECONDS_PER_DAY = 86_400;
  private static final int DAYS_PER_WEEK = 7;

  /** However many holidays there are, a day of the same kind is not looked for without end. */
  private static final int MOST_DAYS_MORE = 8 * DAYS_PER_WEEK;

  private static final long MILLIS_PER_DAY = SECONDS_PER_DAY * 1000L;

  private final ZoneId zone;
  private final ZoneRules rules;
  private final Set<LocalDate> holidays;
  private final long startMillis;
  private final long stepMillis;

  /**
   * @param start beginning of step 0
   * @param step length of a step
   */
  public LocalClock(Instant start, Duration step, ZoneId zone) {
    this(start, step, zone, Set.of());
  }

  /**
   * A clock with holidays, which are Sundays.
   *
   * @param start beginning of step 0
   * @param step length of a step
   * @param holidays by local time
   */
  public LocalClock(Instant start, Duration step, ZoneId zone, Set<LocalDate> holidays) {
    if (step.toMillis() < 1) {
      throw new IllegalArgumentException("step must be at least a millisecond: " + step);
    }
    this.zone = zone;
    this.rules = zone.getRules();
    this.holidays = Set.copyOf(holidays);
    this.startMillis = start.toEpochMilli();
    this.stepMillis = step.toMillis();
  }

  public static LocalClock of(TimeSeries series, ZoneId zone) {
    return new LocalClock(series.start(), series.step(), zone);
  }

  public ZoneId zone() {
    return zone;
  }

  public int secondOfDay(int i) {
    return (int) (Math.floorMod(localMillis(i), MILLIS_PER_DAY) / 1000);
  }

  /** The day of the week; a holiday's is Sunday. */
  public DayOfWeek dayOfWeek(int i) {
    return dayOfWeek(localDay(i));
  }

  private DayOfWeek dayOfWeek(long day) {
    return isHoliday(day)
        ? DayOfWeek.SUNDAY
        : DayOfWeek.THURSDAY.plus(Math.floorMod(day, 7L)); // the epoch began on a Thursday
  }

  private boolean isHoliday(long day) {
    return !holidays.isEmpty() && holidays.contains(LocalDate.ofEpochDay(day));
  }

  private long localDay(int i) {
    return Math.floorDiv(localMillis(i), MILLIS_PER_DAY);
  }

  /**
   * The phase of a season at the beginning of step {@code i}, from 0 to 1 (exclusive). Steps of the
   * same phase are whole periods apart, by local time if the season follows it, otherwise by
   * elapsed time.
   */
  public double phase(int i, Season season) {
    long period = season.period().toMillis();
    long millis = season.followsLocalTime() ? localMillis(i) : millis(i);
    return (double) Math.floorMod(millis, period) / period;
  }

  /** The phases of steps {@code from} to {@code from + count}, exclusive; O(count). */
  public double[] phases(int from, int count, Season season) {
    long period = season.period().toMillis();
    var phases = new double[count];
    long offset = 0;
    long offsetHoldsUntil = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      long millis = millis(from + i);
      if (season.followsLocalTime() && millis >= offsetHoldsUntil) {
        offset = offsetSeconds(millis) * 1000L;
        offsetHoldsUntil = nextTransition(millis);
      }
      phases[i] = (double) Math.floorMod(millis + offset, period) / period;
    }
    return phases;
  }

  /** The same for several seasons: {@code [season][i]}. */
  public double[][] phases(int from, int count, List<Season> seasons) {
    return seasons.stream().map(season -> phases(from, count, season)).toArray(double[][]::new);
  }

  /**
   * The number of steps back from step {@code i} to the same local time {@code daysEarlier} days
   * earlier. Where clocks skipped or repeated that time, {@link
   * java.time.ZonedDateTime#minusDays(long)} decides. Rounded to whole steps, at least one.
   *
   * <p>Whole weeks earlier is a day of the same kind: from a holiday it is the Sunday or holiday
   * before that day, from another day of the week it is no holiday, unless eight weeks have no
   * other.
   */
  public int lagSteps(int i, int daysEarlier) {
    int days =
        holidays.isEmpty() || daysEarlier % DAYS_PER_WEEK != 0
            ? daysEarlier
            : likeDay(i, daysEarlier);
    long lag = days * MILLIS_PER_DAY;
    long now = millis(i);
    if (offsetSeconds(now) != offsetSeconds(now - lag)) {
      var then = Instant.ofEpochMilli(now).atZone(zone).minusDays(days).toInstant();
      lag = now - then.toEpochMilli();
    }
    return Math.toIntExact(Math.max(1, Math.round((double) lag / stepMillis)));
  }

  /** How many days earlier, at least so many, the day is of the same kind as that of step i. */
  private int likeDay(int i, int daysEarlier) {
    long today = localDay(i);
    int stride = isHoliday(today) ? 1 : DAYS_PER_WEEK;
    int days = daysEarlier;
    while (days < daysEarlier + MOST_DAYS_MORE && dayOfWeek(today - days) != dayOfWeek(today)) {
      days += stride;
    }
    return days;
  }

  private long millis(int i) {
    return startMillis + i * stepMillis;
  }

  private long localMillis(int i) {
    long millis = millis(i);
    return millis + offsetSeconds(millis) * 1000L;
  }

  private long nextTransition(long millis) {
    var transition = rules.nextTransition(Instant.ofEpochMilli(millis));
    return transition == null ? Long.MAX_VALUE : transition.getInstant().toEpochMilli();
  }

  private int offsetSeconds(long millis) {
    return zone instanceof ZoneOffset fixed
        ? fixed.getTotalSeconds()
        : rules.getOffset(Instant.ofEpochMilli(millis)).getTotalSeconds();
  }
}
