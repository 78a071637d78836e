package io.prescale.controller.scheduler.moves;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;

/**
 * A part of every day.
 *
 * @param from included
 * @param until excluded; if it is not after the start, the window ends on the next day
 */
public record DailyWindow(LocalTime from, LocalTime until, ZoneId zone) {
  private static final String FORM =
      "\"%s\" is no window; write HH:MM-HH:MM, if need be with a time zone, as in 22:00-06:00 or"
          + " 22:00-06:00 Europe/Berlin";

  public DailyWindow {
    if (from.equals(until)) {
      throw new IllegalArgumentException(
          "a window from %s until %s; write another end".formatted(from, until));
    }
  }

  /**
   * Reads windows with commas between them, in UTC unless they name a zone.
   *
   * @throws IllegalArgumentException with a sentence, if one makes no sense
   */
  public static List<DailyWindow> read(String text) {
    return text.isBlank()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(String::strip).map(DailyWindow::one).toList();
  }

  private static DailyWindow one(String text) {
    var words = text.split(" +", 2);
    var times = words[0].split("-", 2);
    if (times.length < 2) {
      throw new IllegalArgumentException(FORM.formatted(text));
    }
    try {
      return new DailyWindow(
          LocalTime.parse(times[0]),
          LocalTime.parse(times[1]),
          words.length == 1 ? ZoneOffset.UTC : ZoneId.of(words[1].strip()));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(FORM.formatted(text), e);
    }
  }

  /** Whether it is open at the given time. */
  public boolean contains(Instant time) {
    var now = time.atZone(zone).toLocalTime();
    return from.isBefore(until)
        ? !now.isBefore(from) && now.isBefore(until)
        : !now.isBefore(from) || now.isBefore(until);
  }
}
