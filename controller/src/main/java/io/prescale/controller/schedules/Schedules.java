package io.prescale.controller.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The schedules of one target, of which any number may be in force at once.
 *
 * @param all at most {@value #MOST}
 */
public record Schedules(List<Schedule> all) {
  /** As many as a spec may list. */
  public static final int MOST = 16;

  public Schedules {
    all = List.copyOf(all);
    if (all.size() > MOST) {
      throw new IllegalArgumentException(
          "a target has at most %d schedules: %d".formatted(MOST, all.size()));
    }
  }

  public static Schedules none() {
    return new Schedules(List.of());
  }

  /** What they demand at a time, when replicas need the lead time until they serve. */
  public ReplicaBounds boundsAt(Instant now, Duration lead) {
    return ReplicaBounds.at(windows(now, now.plus(lead).plusNanos(1)), now, lead);
  }

  /** All windows that overlap with a time, by their start. */
  public List<ScheduledWindow> windows(Instant from, Instant to) {
    return all.stream()
        .flatMap(it -> it.windows(from, to).stream())
        .sorted(Comparator.comparing(ScheduledWindow::start))
        .toList();
  }
}
