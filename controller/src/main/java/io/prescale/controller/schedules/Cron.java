package io.prescale.controller.schedules;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A five-field cron expression as Kubernetes' CronJob reads it: minute, hour, day of the month,
 * month, day of the week, or one of the macros such as {@code @daily}. Of two restricted day fields
 * either is enough. Sunday is 0, 7 or {@code sun}. It knows local times only, no time zone.
 */
public final class Cron {
  /** The most days until the next February 29th. */
  private static final int FARTHEST_DAYS = 8 * 366;

  private static final int MINUTES_OF_DAY = 1440;
  private static final int FIELDS = 5;

  private static final Map<String, String> MACROS =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *");

  private final String text;
  private final long minutes;
  private final long hours;
  private final long days;
  private final long months;
  private final long weekdays;
  private final boolean eitherDay;

  private Cron(String text, String[] fields) {
    this.text = text;
    this.minutes = CronField.MINUTE.parse(fields[0]);
    this.hours = CronField.HOUR.parse(fields[1]);
    this.days = CronField.DAY_OF_MONTH.parse(fields[2]);
    this.months = CronField.MONTH.parse(fields[3]);
    this.weekdays = CronField.DAY_OF_WEEK.parse(fields[4]);
    this.eitherDay = !CronField.isEvery(fields[2]) && !CronField.isEvery(fields[4]);
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException when it is none, or names a day that never comes; the message
   *     says what to write
   */
  public static Cron parse(String text) {
    String[] fields = MACROS.getOrDefault(text.strip(), text.strip()).split("\\s+");
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException(
          "\"%s\" is no cron expression; write five fields (minute, hour, day of the month, month, day of the week), such as 0 8 * * 1-5"
              .formatted(text));
    }
    var cron = new Cron(text.strip(), fields);
    if (cron.earliest(LocalDateTime.of(2000, 1, 1, 0, 0)).isEmpty()) {
      throw new IllegalArgumentException(
          "\"%s\" names a day that no month has; correct day and month".formatted(text));
    }
    return cron;
  }

  /** The last matching minute that is not after a time. */
  Optional<LocalDateTime> latest(LocalDateTime notAfter) {
    int limit = minuteOfDay(notAfter);
    for (int back = 0; back <= FARTHEST_DAYS; back++) {
      var day = notAfter.toLocalDate().minusDays(back);
      var minute = matches(day) ? lastMinute(limit) : OptionalInt.empty();
      if (minute.isPresent()) {
        return Optional.of(day.atStartOfDay().plusMinutes(minute.getAsInt()));
      }
      limit = MINUTES_OF_DAY - 1;
    }
    return Optional.empty();
  }

  /** The first matching minute that is not before a whole minute. */
  Optional<LocalDateTime> earliest(LocalDateTime notBefore) {
    int limit = minuteOfDay(notBefore);
    for (int ahead = 0; ahead <= FARTHEST_DAYS; ahead++) {
      var day = notBefore.toLocalDate().plusDays(ahead);
      var minute = matches(day) ? firstMinute(limit) : OptionalInt.empty();
      if (minute.isPresent()) {
        return Optional.of(day.atStartOfDay().plusMinutes(minute.getAsInt()));
      }
      limit = 0;
    }
    return Optional.empty();
  }

  private static int minuteOfDay(LocalDateTime time) {
    return time.getHour() * 60 + time.getMinute();
  }

  private boolean matches(LocalDate day) {
    boolean inMonth = contains(months, day.getMonthValue());
    boolean byDate = contains(days, day.getDayOfMonth());
    boolean byWeekday = contains(weekdays, day.getDayOfWeek().getValue() % 7);
    return inMonth && (eitherDay ? byDate || byWeekday : byDate && byWeekday);
  }

  private OptionalInt lastMinute(int limit) {
    for (int minute = limit; minute >= 0; minute = minute / 60 * 60 - 1) {
      long upTo = contains(hours, minute / 60) ? minutes & (-1L >>> (63 - minute % 60)) : 0;
      if (upTo != 0) {
        return OptionalInt.of(minute / 60 * 60 + 63 - Long.numberOfLeadingZeros(upTo));
      }
    }
    return OptionalInt.empty();
  }

  private OptionalInt firstMinute(int limit) {
    for (int minute = limit; minute < MINUTES_OF_DAY; minute = (minute / 60 + 1) * 60) {
      long from = contains(hours, minute / 60) ? minutes & (-1L << minute % 60) : 0;
      if (from != 0) {
        return OptionalInt.of(minute / 60 * 60 + Long.numberOfTrailingZeros(from));
      }
    }
    return OptionalInt.empty();
  }

  private static boolean contains(long values, int value) {
    return (values >>> value & 1) != 0;
  }

  /** Two are equal when they are written alike. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Cron cron && cron.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }
}
