package io.prescale.controller.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
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

  /** What they demand at a time, when replicas need the lead time until they serve. */
  public ReplicaBounds boundsAt(Instant now, Duration lead) {
    return ReplicaBounds.at(demands(now, now.plus(lead).plusNanos(1)), now, lead);
  }

  /**
   * All windows that overlap with a time, and the steps by which their floors are reached as
   * windows of their own that begin sooner.
   */
  public List<ScheduledWindow> demands(Instant from, Instant to) {
    return windows(from, to.plus(ramp.length())).stream()
        .flatMap(it -> Stream.concat(approach(it), Stream.of(it)))
        .toList();
  }

  private Stream<ScheduledWindow> approach(ScheduledWindow it) {
    return it.floor().stream()
        .boxed()
        .flatMap(floor -> ramp.before(floor).stream())
        .map(
            step ->
                new ScheduledWindow(
                    it.schedule(),
                    it.start().minus(step.time()),
                    it.end(),
                    OptionalInt.of(step.replicas()),
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
