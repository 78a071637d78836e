package io.prescale.controller.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The schedules of one target, of which any number may be in force at once.
 *
 * @param all at most {@value #MOST}
 * @param ramp by which the target reaches a floor
 */
public record Schedules(List<Schedule> all, Ramp ramp) {
  /** As many as a spec may list. */
  public static final int MOST = 16;

  public Schedules {
    all = List.copyOf(all);
    if (all.size() > MOST) {
      throw new IllegalArgumentException(
          "a target has at most %d schedules: %d".formatted(MOST, all.size()));
    }
  }

  /** Schedules of a target that may get any number of replicas at once. */
  public Schedules(List<Schedule> all) {
    this(all, Ramp.none());
  }

  public static Schedules none() {
    return new Schedules(List.of());
  }

  public Schedules withRamp(Ramp newRamp) {
    return new Schedules(all, newRamp);
  }

  /** The highest of all floors; 0 without one. */
  public int highestFloor() {
    return all.stream().mapToInt(it -> it.floor().orElse(0)).max().orElse(0);
  }

  /** What they demand at the given time, when replicas need the lead time until they serve. */
  public ReplicaBounds boundsAt(Instant now, Duration lead) {
    return ReplicaBounds.at(demands(now, now.plus(lead).plusNanos(1)), now, lead);
  }

  /**
   * The windows that begin before a time and are not over at an earlier one, and the steps by which
   * their floors are reached as windows of their own, which begin sooner.
   */
  public List<ScheduledWindow> demands(Instant from, Instant until) {
    return all.stream()
        .flatMap(it -> demands(it, from, until))
        .filter(it -> it.start().isBefore(until))
        .toList();
  }

  private Stream<ScheduledWindow> demands(Schedule schedule, Instant from, Instant until) {
    var earlier = ramp.before(schedule.floor().orElse(0));
    long minutes = earlier.isEmpty() ? 0 : earlier.lastKey();
    return schedule.windows(from, until.plus(Duration.ofMinutes(minutes))).stream()
        .flatMap(window -> Stream.concat(approach(window, earlier), Stream.of(window)));
  }

  private static Stream<ScheduledWindow> approach(
      ScheduledWindow window, Map<Long, Integer> earlier) {
    return earlier.entrySet().stream()
        .map(
            step ->
                new ScheduledWindow(
                    window.schedule(),
                    window.start().minus(Duration.ofMinutes(step.getKey())),
                    window.end(),
                    OptionalInt.of(step.getValue()),
                    OptionalInt.empty()));
  }

  /** All windows that overlap with a time, by their start. */
  public List<ScheduledWindow> windows(Instant from, Instant to) {
    return all.stream()
        .flatMap(it -> it.windows(from, to).stream())
        .sorted(Comparator.comparing(ScheduledWindow::start))
        .toList();
  }
}
