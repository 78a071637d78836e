package io.prescale.controller.schedules;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A floor, a ceiling or both, in force from each start until the next end.
 *
 * <p>When clocks are put back, a local time comes twice: the first counts for a start, the second
 * for an end, so that no window is shorter than the clock has it. A local time that is skipped when
 * clocks are put forward counts as if they had not been, so 02:30 becomes 03:30.
 *
 * @param name shown in explanations, not blank
 * @param zone whose clock the expressions follow
 * @param floor the fewest replicas, at least 1
 * @param ceiling the most replicas, not below the floor
 */
public record Schedule(
    String name, ZoneId zone, Cron start, Cron end, OptionalInt floor, OptionalInt ceiling) {

  /** More than a plan holds, or a person reads. */
  static final int MOST_WINDOWS = 100;

  public Schedule {
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a schedule must not be blank");
    }
    if (start.equals(end)) {
      throw new IllegalArgumentException(
          "schedule %s starts and ends at %s; write another end".formatted(name, start));
    }
    if (floor.isEmpty() && ceiling.isEmpty()) {
      throw new IllegalArgumentException(
          "schedule %s has neither a minimum nor a maximum of replicas".formatted(name));
    }
    if (floor.orElse(1) < 1 || ceiling.orElse(Integer.MAX_VALUE) < floor.orElse(1)) {
      throw new IllegalArgumentException(
          "schedule %s: its minimum (%s) must be at least 1, and its maximum (%s) not below it"
              .formatted(name, number(floor), number(ceiling)));
    }
  }

  private static String number(OptionalInt replicas) {
    return replicas.isPresent() ? String.valueOf(replicas.getAsInt()) : "none";
  }

  /**
   * Its windows that overlap with a time, in order, at most {@value #MOST_WINDOWS}; neighbours that
   * touch are one. Starts and ends are paired as the clock on the wall shows them, so that a change
   * of clocks joins no start to the end of another day.
   */
  List<ScheduledWindow> windows(Instant from, Instant to) {
    var windows = new ArrayList<ScheduledWindow>();
    var next = lastEnd(from).flatMap(start::earliest);
    while (next.isPresent() && windows.size() < MOST_WINDOWS) {
      var begin = earlier(next.get());
      var ends = end.earliest(next.get().plusMinutes(1));
      if (!begin.isBefore(to) || ends.isEmpty()) {
        break;
      }
      var over = later(ends.get());
      if (over.isAfter(begin) && over.isAfter(from)) { // an hour that is skipped has no window
        add(windows, new ScheduledWindow(name, begin, over, floor, ceiling));
      }
      next = start.earliest(ends.get());
    }
    return windows;
  }

  private static void add(List<ScheduledWindow> windows, ScheduledWindow window) {
    boolean touches = !windows.isEmpty() && !windows.getLast().end().isBefore(window.start());
    windows.add(
        touches
            ? new ScheduledWindow(
                window.schedule(),
                windows.removeLast().start(),
                window.end(),
                window.floor(),
                window.ceiling())
            : window);
  }

  /** The local time of the last end until a time. */
  private Optional<LocalDateTime> lastEnd(Instant time) {
    var found = end.latest(LocalDateTime.ofInstant(time, zone));
    while (found.isPresent() && later(found.get()).isAfter(time)) {
      found = end.latest(found.get().minusMinutes(1));
    }
    return found;
  }

  private Instant earlier(LocalDateTime local) {
    return local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }

  private Instant later(LocalDateTime local) {
    return local.atZone(zone).withLaterOffsetAtOverlap().toInstant();
  }
}
