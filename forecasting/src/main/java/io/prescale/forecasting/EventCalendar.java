package io.prescale.forecasting;

import java.time.Instant;
import java.util.List;

/** The times that people have declared to be out of the ordinary. Immutable. */
public record EventCalendar(List<Event> events, List<ExcludedWindow> excludedWindows) {
  public EventCalendar {
    events = List.copyOf(events);
    excludedWindows = List.copyOf(excludedWindows);
  }

  public static EventCalendar empty() {
    return new EventCalendar(List.of(), List.of());
  }

  /**
   * The history of ordinary times, from which level, trend and seasons may be learned: steps that
   * an event or an excluded window touches are missing.
   */
  public TimeSeries ordinary(TimeSeries history) {
    var ordinary = history;
    for (var event : events) {
      ordinary = ordinary.masked(event.start(), event.end());
    }
    for (var window : excludedWindows) {
      ordinary = ordinary.masked(window.start(), window.end());
    }
    return ordinary;
  }

  /**
   * What a forecast for an ordinary time is to be multiplied with at {@code t}: the product of the
   * declared factors, and 1 where there are none.
   */
  public double factorAt(Instant t) {
    double factor = 1;
    for (var event : events) {
      if (event.covers(t)) {
        factor *= event.expectedFactor().orElse(1);
      }
    }
    return factor;
  }

  /** The events that cover {@code t}, to be named in an explanation. */
  public List<Event> eventsAt(Instant t) {
    return events.stream().filter(event -> event.covers(t)).toList();
  }
}
