package io.prescale.controller.input;

import io.prescale.controller.input.TraceColumn.Form;
import io.prescale.controller.input.TraceColumn.Unreadable;
import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the times of a trace, in milliseconds since the epoch: Unix seconds, possibly decimal, Unix
 * milliseconds, and dates with a time of day, with an offset or in the zone.
 */
final class TraceTimes {
  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("2100-01-01T00:00:00Z");

  /** Smaller numbers are seconds until the year 5138, larger ones milliseconds since 1973. */
  private static final double LATEST_SECONDS = 1e11;

  private static final double OF_2001 = 1e9;
  private static final double LATEST_MILLIS = 1e14;
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");

  private static final DateTimeFormatter YEAR_FIRST = format("uuuu-M-d");

  /** No country that separates by points writes the month first. */
  private static final DateTimeFormatter POINTS = format("d.M.uuuu");

  private static final DateTimeFormatter DAY_FIRST = format("d[/][-]M[/][-]uuuu");
  private static final DateTimeFormatter MONTH_FIRST = format("M[/][-]d[/][-]uuuu");

  private final ZoneId zone;
  private final Dates yearFirst = new Dates();
  private final Dates dayFirst = new Dates();
  private final Dates monthFirst = new Dates();
  private boolean withoutOffset;

  TraceTimes(ZoneId zone) {
    this.zone = zone;
  }

  TraceColumn column(String name) {
    return new TraceColumn(
        name,
        List.of(
            new Form("the year first", this::yearFirst),
            new Form("the day first", text -> dayFirst.read(text, DAY_FIRST)),
            new Form("the month first", text -> monthFirst.read(text, MONTH_FIRST))),
        "write dates as 2026-11-01");
  }

  /** Whether a time was read in the zone. */
  boolean withoutOffset() {
    return withoutOffset;
  }

  /** How much a text looks like a time. */
  enum Likeness {
    NONE,
    /** Unix time since 2001; a large value may look so, too. */
    UNIX_TIME,
    DATE
  }

  static Likeness likeness(String text) {
    if (NUMBER.matcher(text).matches()) {
      double number = Double.parseDouble(text);
      double seconds = number < LATEST_SECONDS ? number : number / 1000;
      return seconds >= OF_2001 && seconds < LATEST.getEpochSecond()
          ? Likeness.UNIX_TIME
          : Likeness.NONE;
    }
    return Stream.of(YEAR_FIRST, POINTS, DAY_FIRST, MONTH_FIRST)
            .anyMatch(form -> isReadBy(form, text))
        ? Likeness.DATE
        : Likeness.NONE;
  }

  private static boolean isReadBy(DateTimeFormatter form, String text) {
    var until = new ParsePosition(0);
    return form.parseUnresolved(text, until) != null && until.getIndex() == text.length();
  }

  private double yearFirst(String text) throws Unreadable {
    if (text.isEmpty()) {
      throw new Unreadable("is empty; every row needs a time");
    }
    if (NUMBER.matcher(text).matches()) {
      return unix(text);
    }
    int point = text.indexOf('.');
    return yearFirst.read(text, point == 1 || point == 2 ? POINTS : YEAR_FIRST);
  }

  private static double unix(String text) throws Unreadable {
    double number = Double.parseDouble(text);
    if (Math.abs(number) >= LATEST_MILLIS) {
      throw new Unreadable(
          "%s is too large for Unix seconds or milliseconds; if it is in microseconds, divide it by 1000000"
              .formatted(Excerpt.quoted(text)));
    }
    double millis = Math.abs(number) < LATEST_SECONDS ? 1000 * number : number;
    return plausible(text, Instant.ofEpochMilli(Math.round(millis)));
  }

  /** Dates of one form, in the order of the rows. */
  private final class Dates {
    private @Nullable Instant previous;
    private boolean newestFirst;

    double read(String text, DateTimeFormatter format) throws Unreadable {
      try {
        var time =
            format.parseBest(text, OffsetDateTime::from, LocalDateTime::from, TraceTimes::date);
        return plausible(
            text,
            switch (time) {
              case OffsetDateTime offset -> offset.toInstant();
              case LocalDateTime local -> inZone(local);
              default -> inZone(LocalDate.from(time).atStartOfDay());
            });
      } catch (DateTimeException _) {
        throw new Unreadable(
            "%s is not a time; write one such as 2026-01-31 14:05, 2026-01-31T14:05:00Z, or Unix seconds such as 1769868300"
                .formatted(Excerpt.quoted(text)));
      }
    }

    /** When clocks go back, an hour is there twice; the order of the rows says which it is. */
    private Instant inZone(LocalDateTime local) {
      withoutOffset = true;
      var first = local.atZone(zone).toInstant();
      var second = local.atZone(zone).withLaterOffsetAtOverlap().toInstant();
      var before = previous;
      if (before == null) {
        previous = first;
        return first;
      }
      if (first.isBefore(before) && second.isBefore(before)) {
        newestFirst = true;
      } else if (first.isAfter(before) && second.isAfter(before)) {
        newestFirst = false;
      }
      boolean isSecond = newestFirst ? second.isBefore(before) : !first.isAfter(before);
      previous = isSecond ? second : first;
      return previous;
    }
  }

  private static LocalDate date(TemporalAccessor text) {
    if (text.isSupported(ChronoField.OFFSET_SECONDS)) {
      throw new DateTimeException("an offset without a time of day");
    }
    return LocalDate.from(text);
  }

  private static double plausible(String text, Instant time) throws Unreadable {
    if (time.isBefore(EARLIEST) || !time.isBefore(LATEST)) {
      throw new Unreadable(
          "%s is a time outside the years 1970 to 2099; correct it, or remove the row"
              .formatted(Excerpt.quoted(text)));
    }
    return time.toEpochMilli();
  }

  private static DateTimeFormatter format(String date) {
    return new DateTimeFormatterBuilder()
        .parseCaseInsensitive()
        .appendPattern(date)
        .optionalStart()
        .appendPattern("['T'][ ][h:mm[:ss] a][H:mm[:ss]]")
        .optionalStart()
        .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
        .optionalEnd()
        .optionalStart()
        .appendOffsetId()
        .toFormatter(Locale.ROOT)
        .withResolverStyle(ResolverStyle.STRICT);
  }
}
