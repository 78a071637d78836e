package io.prescale.controller.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What schedules demand of the replicas at one time: the highest floor and the lowest ceiling. A
 * floor counts one lead time before its window begins, so that its replicas serve by then; a
 * ceiling counts during its window. Where the two contradict each other, the floor prevails.
 */
public record ReplicaBounds(Optional<Bound> floor, Optional<Bound> ceiling) {

  /** A number of replicas, and the schedule that demands it. */
  public record Bound(String schedule, int replicas) {}

  public ReplicaBounds {
    if (floor.isPresent()
        && ceiling.isPresent()
        && ceiling.get().replicas() < floor.get().replicas()) {
      throw new IllegalArgumentException("ceiling %s below floor %s".formatted(ceiling, floor));
    }
  }

  /** The most replicas, where without schedules there may be so many. */
  public int most(int withoutSchedules) {
    return Math.min(withoutSchedules, ceiling.map(Bound::replicas).orElse(withoutSchedules));
  }

  /** The bounds at the given time, by all windows that overlap with the lead time after it. */
  public static ReplicaBounds at(List<ScheduledWindow> windows, Instant now, Duration lead) {
    var ready = now.plus(lead);
    var floor =
        windows.stream()
            .filter(it -> !it.start().isAfter(ready) && it.end().isAfter(now))
            .flatMap(it -> it.floor().stream().mapToObj(n -> new Bound(it.schedule(), n)))
            .max(Comparator.comparingInt(Bound::replicas));
    var ceiling =
        windows.stream()
            .filter(it -> it.contains(now))
            .flatMap(it -> it.ceiling().stream().mapToObj(n -> new Bound(it.schedule(), n)))
            .min(Comparator.comparingInt(Bound::replicas));
    boolean floorPrevails =
        floor.isPresent()
            && ceiling.isPresent()
            && ceiling.get().replicas() < floor.get().replicas();
    return new ReplicaBounds(floor, floorPrevails ? floor : ceiling);
  }
}
