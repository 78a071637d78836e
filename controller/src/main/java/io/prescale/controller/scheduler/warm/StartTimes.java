package io.prescale.controller.scheduler.warm;

import io.prescale.controller.api.v1alpha1.BookingImages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * How long the last pods of a booking took to start, with their images pulled ahead and without, in
 * seconds; the newest last.
 *
 * @param newest when the last of them became ready
 */
record StartTimes(List<Long> warm, List<Long> cold, Optional<Instant> newest) {
  /** Of each kind. */
  static final int REMEMBERED = 20;

  /** Of each kind, before anything is concluded. */
  static final int LEAST = 3;

  static final StartTimes NONE = new StartTimes(List.of(), List.of(), Optional.empty());

  StartTimes {
    warm = List.copyOf(warm);
    cold = List.copyOf(cold);
  }

  /** Those that a status remembers. */
  static StartTimes of(BookingImages said) {
    return new StartTimes(
        said.warmSeconds(), said.coldSeconds(), Optional.ofNullable(said.newest()));
  }

  /** With one more. What was on the node anyway, or only in part, is neither warm nor cold. */
  StartTimes with(PodStarted start) {
    var last = newest.filter(it -> it.isAfter(start.ready())).orElse(start.ready());
    return switch (start.images()) {
      case PULLED_AHEAD -> new StartTimes(added(warm, start), cold, Optional.of(last));
      case ABSENT -> new StartTimes(warm, added(cold, start), Optional.of(last));
      case PULLING, PRESENT -> new StartTimes(warm, cold, Optional.of(last));
    };
  }

  private static List<Long> added(List<Long> seconds, PodStarted start) {
    var all = new ArrayList<>(seconds);
    all.add(start.took().toSeconds());
    return all.subList(Math.max(0, all.size() - REMEMBERED), all.size());
  }

  /** By how much the median of the warm starts is shorter; negative if it is longer. */
  OptionalLong savedSeconds() {
    return warm.size() < LEAST || cold.size() < LEAST
        ? OptionalLong.empty()
        : OptionalLong.of(Math.round(median(cold) - median(warm)));
  }

  private static double median(List<Long> seconds) {
    return new Median().evaluate(seconds.stream().mapToDouble(it -> it).toArray());
  }

  /** In a sentence; empty while too little is known. */
  Optional<String> sentence() {
    var saved = savedSeconds();
    if (saved.isEmpty()) {
      return Optional.empty();
    }
    long seconds = saved.getAsLong();
    return Optional.of(
        "Pulling ahead %s %d s %s a start (median of %d warm starts against %d cold ones)."
            .formatted(
                seconds < 0 ? "adds" : "saves",
                Math.abs(seconds),
                seconds < 0 ? "to" : "of",
                warm.size(),
                cold.size()));
  }
}
