package io.prescale.controller.cli.options;

import io.prescale.controller.cli.terminal.DurationText;
import io.prescale.controller.input.Excerpt;
import io.prescale.forecasting.Event;
import io.prescale.forecasting.ExcludedWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.OptionalDouble;

/**
 * A period as {@code --event} and {@code --exclude} give it: {@code start/end} or {@code
 * start/duration}, for an event optionally with {@code =factor}.
 */
public record WindowText(String text, Moment start, End end, OptionalDouble factor) {

  /** The end of the period. */
  sealed interface End {
    Instant resolve(Instant start, ZoneId zone);

    /** An explicit end. */
    record AtTime(Moment moment) implements End {
      @Override
      public Instant resolve(Instant start, ZoneId zone) {
        return moment.resolve(start, zone);
      }
    }

    /** An end given by its distance from the start. */
    record After(Duration duration) implements End {
      @Override
      public Instant resolve(Instant start, ZoneId zone) {
        return start.plus(duration);
      }
    }
  }

  public static WindowText parse(String text) {
    int slash = text.indexOf('/');
    int equals = text.lastIndexOf('=');
    if (slash < 0 || (equals >= 0 && equals < slash)) {
      throw new IllegalArgumentException(
          "%s is not a period; write its start and its end or duration, such as 2026-11-27T08:00/2026-11-27T20:00 or 2026-11-27T08:00/12h"
              .formatted(Excerpt.quoted(text)));
    }
    var factor =
        equals < 0 ? OptionalDouble.empty() : OptionalDouble.of(factor(text.substring(equals + 1)));
    var end = text.substring(slash + 1, equals < 0 ? text.length() : equals);
    return new WindowText(
        text,
        Moment.fixed(text.substring(0, slash)),
        DurationText.matches(end)
            ? new End.After(DurationText.parse(end))
            : new End.AtTime(Moment.fixed(end)),
        factor);
  }

  private static double factor(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(
          "%s is not a factor; write a number such as 2.5 after the equals sign"
              .formatted(Excerpt.quoted(text)));
    }
  }

  public Event event(ZoneId zone) {
    var from = start.resolve(Instant.EPOCH, zone);
    return new Event(text, from, end.resolve(from, zone), factor);
  }

  public ExcludedWindow excludedWindow(ZoneId zone) {
    if (factor.isPresent()) {
      throw new IllegalArgumentException(
          "an excluded window cannot have a factor, because nothing is learned from it: "
              + Excerpt.quoted(text));
    }
    var from = start.resolve(Instant.EPOCH, zone);
    return new ExcludedWindow(text, from, end.resolve(from, zone));
  }
}
