package io.prescale.forecasting;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is known of time beforehand. Immutable.
 *
 * @param holidays days, by the local time of the forecast, on which demand is as on a Sunday
 */
public record EventCalendar(
    List<Event> events, List<ExcludedWindow> excludedWindows, Set<LocalDate> holidays) {
  public EventCalendar {
    events = List.copyOf(events);
    excludedWindows = List.copyOf(excludedWindows);
    holidays = Set.copyOf(holidays);
  }

  /** A calendar without holidays. */
  public EventCalendar(List<Event> events, List<ExcludedWindow> excludedWindows) {
    this(events, excludedWindows, Set.of());
  }

  public static EventCalendar empty() {
    return new EventCalendar(List.of(), List.of());
  }

  /**
   * The factor for an ordinary forecast at {@code t}: the product of the declared factors, 1 where
   * there are none.
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

  /** Whether no event and no excluded window overlaps with the time {@code [from, to)}. */
  public boolean isOrdinary(Instant from, Instant to) {
    return isWithoutEvents(from, to, _ -> true);
  }

  /** Whether demand at {@code t}, divided by the factor, is learned from. */
  public boolean isLearned(Instant t) {
    return isLearned(t, t.plusNanos(1)) && factorAt(t) >= Event.LEAST_FACTOR;
  }

  /** Whether no excluded window, and no event that is not learned from, overlaps with a time. */
  public boolean isLearned(Instant from, Instant to) {
    return isWithoutEvents(from, to, event -> !event.isLearned());
  }

  private boolean isWithoutEvents(Instant from, Instant to, Predicate<Event> those) {
    return events.stream()
            .filter(those)
            .noneMatch(it -> it.start().isBefore(to) && from.isBefore(it.end()))
        && excludedWindows.stream()
            .noneMatch(it -> it.start().isBefore(to) && from.isBefore(it.end()));
  }
}
