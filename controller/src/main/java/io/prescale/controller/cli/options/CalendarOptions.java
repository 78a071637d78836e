package io.prescale.controller.cli.options;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.seasonality.UnusualHours;
import io.prescale.forecasting.seasonality.UnusualHours.UnusualStretch;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** What the user knows about time: the zone that the load follows, events and incidents. */
public final class CalendarOptions {
  private static final int MOST_UNUSUAL = 5;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Time zone of the load's daily and weekly patterns, and of times given without an offset"
              + " (default: UTC).",
      defaultValue = "UTC")
  private ZoneId zone = ZoneOffset.UTC;

  @Option(
      names = "--event",
      paramLabel = "START/END[=FACTOR]",
      description =
          "A known event, optionally with the demand to expect as a multiple of the usual one:"
              + " 2026-11-27T08:00/12h=2.5. May be repeated.")
  List<WindowText> events = List.of();

  @Option(
      names = "--exclude",
      paramLabel = "START/END",
      description = "A period to exclude from learning, such as an incident. May be repeated.")
  List<WindowText> excluded = List.of();

  @Option(
      names = "--holiday",
      paramLabel = "DATE",
      description =
          "A day, past or coming, on which demand is as on a Sunday: 2026-12-25. May be repeated.")
  List<LocalDate> holidays = List.of();

  public ZoneId zone() {
    return zone;
  }

  /**
   * The events and excluded windows that change nothing, as sentences.
   *
   * @param from beginning of the load
   * @param to its end, or that of its forecast
   */
  public List<String> outside(Instant from, Instant to) {
    return Stream.concat(
            events.stream()
                .filter(it -> isOutside(it.event(zone).start(), it.event(zone).end(), from, to))
                .map(it -> "--event " + it.text()),
            excluded.stream()
                .filter(
                    it ->
                        isOutside(
                            it.excludedWindow(zone).start(),
                            it.excludedWindow(zone).end(),
                            from,
                            to))
                .map(it -> "--exclude " + it.text()))
        .map(it -> "%s has no effect: it lies outside %s to %s.".formatted(it, from, to))
        .toList();
  }

  /** Hours that were unlike like ones and are not excluded, as sentences. */
  public List<String> unusual(TimeSeries load) {
    var found = UnusualHours.in(load, zone, calendar());
    var said = found.stream().limit(MOST_UNUSUAL).map(CalendarOptions::sentence);
    int more = found.size() - MOST_UNUSUAL;
    return more <= 0
        ? said.toList()
        : Stream.concat(said, Stream.of("Unusual times besides these: %,d.".formatted(more)))
            .toList();
  }

  private static String sentence(UnusualStretch it) {
    return "From %s to %s demand was %.2f times what is usual at that time of day; if something was wrong then, exclude it: --exclude %s/%s, in a PredictiveHPA spec.forecast.excludedWindows."
        .formatted(it.start(), it.end(), it.timesUsual(), it.start(), it.end());
  }

  private static boolean isOutside(Instant start, Instant end, Instant from, Instant to) {
    return !start.isBefore(to) || !end.isAfter(from);
  }

  public EventCalendar calendar() {
    return UsageException.unlessValid(
        () ->
            new EventCalendar(
                events.stream().map(event -> event.event(zone)).toList(),
                excluded.stream().map(window -> window.excludedWindow(zone)).toList(),
                Set.copyOf(holidays)));
  }
}
