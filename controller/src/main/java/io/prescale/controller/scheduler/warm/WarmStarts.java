package io.prescale.controller.scheduler.warm;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The starts of bookings' pods, each counted once: by the replica that decides, and after a restart
 * only those of pods that were created later than what the status remembers. Others may have become
 * ready again since: that they did so for the first time is not to be seen. Pods may be reported
 * from any thread.
 */
final class WarmStarts {
  private final WarmMetrics metrics;

  /** Pods that became ready, by UID, and those of them that are counted. */
  private final Map<String, PodStarted> started = new ConcurrentHashMap<>();

  private final Set<String> counted = ConcurrentHashMap.newKeySet();

  /** By the UID of the booking. For the thread of the rounds. */
  private final Map<String, Known> known = new HashMap<>();

  private record Known(Instant before, StartTimes times) {}

  WarmStarts(WarmMetrics metrics) {
    this.metrics = metrics;
  }

  void seen(Pod pod) {
    PodStarted.of(pod).ifPresent(it -> started.putIfAbsent(pod.getMetadata().getUid(), it));
  }

  void gone(Pod pod) {
    started.remove(pod.getMetadata().getUid());
    counted.remove(pod.getMetadata().getUid());
  }

  /** Forgets what was said of bookings: while another replica decides, it says more. */
  void forget() {
    known.clear();
  }

  /** Forgets bookings that are gone. */
  void retain(Set<String> bookings) {
    known.keySet().retainAll(bookings);
  }

  /** What is known of a booking, with the starts that are new. */
  StartTimes of(WarmBooking booking) {
    var before = known.computeIfAbsent(booking.uid(), _ -> said(booking));
    var times = before.times();
    var unseen =
        started.entrySet().stream()
            .filter(it -> !counted.contains(it.getKey()) && it.getValue().isOf(booking.pods()))
            .sorted(Map.Entry.comparingByValue(Comparator.comparing(PodStarted::ready)))
            .toList();
    for (var each : unseen) {
      counted.add(each.getKey());
      if (each.getValue().created().isAfter(before.before())) {
        times = times.with(each.getValue());
        metrics.started(each.getValue());
      }
    }
    known.put(booking.uid(), new Known(before.before(), times));
    return times;
  }

  private static Known said(WarmBooking booking) {
    var times = booking.said().map(StartTimes::of).orElse(StartTimes.NONE);
    return new Known(times.newest().orElse(Instant.EPOCH), times);
  }
}
