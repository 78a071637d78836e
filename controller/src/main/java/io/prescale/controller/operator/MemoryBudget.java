package io.prescale.controller.operator;

import io.prescale.controller.autoscaling.TargetSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;

/**
 * The memory for the histories and forecasters of all targets. A target that this process meets for
 * the first time displaces younger ones, so that a new leader begins with those that the one before
 * worked on, in whatever order they ask: in its own namespace, or in one that holds more than its
 * own then would. Nothing else displaces a target: one that has been edited waits for room, and
 * keeps no other waiting. Thread-safe.
 */
final class MemoryBudget {
  /**
   * Models, errors and open forecasts of one metric. {@code PeakForecasterGrowthBenchmark} measures
   * 110 KiB beside the history, five minutes ahead; the rest is a margin for longer lead times.
   */
  private static final long BYTES_OF_A_METRIC = 160 << 10;

  /**
   * The history in single precision, and a second view of it after an event; or its copy in double
   * precision that waits for the first fit.
   */
  private static final long BYTES_OF_A_STEP = 8;

  /** The rest is for what is being fitted and read, for informers and for requests. */
  private static final double SHARE_OF_THE_HEAP = 0.65;

  private final long bytes;
  private final Map<String, Reserved> reserved = new HashMap<>();
  private final Map<String, Long> ofNamespaces = new HashMap<>();
  private final Set<String> met = new HashSet<>();
  private long used;

  private record Reserved(String namespace, Instant created, long bytes) {}

  MemoryBudget(long bytes) {
    this.bytes = bytes;
  }

  /**
   * The budget of a process.
   *
   * @param heap the most bytes that the heap may grow to
   */
  static MemoryBudget ofHeap(long heap) {
    return new MemoryBudget((long) (heap * SHARE_OF_THE_HEAP));
  }

  /** About as many bytes as a target with these settings holds. */
  static long cost(TargetSettings settings) {
    return settings.metrics().size()
        * (BYTES_OF_A_METRIC + BYTES_OF_A_STEP * settings.forecast().steps());
  }

  long bytes() {
    return bytes;
  }

  /** Whether so much is free, with what the target itself holds. */
  synchronized boolean hasRoomFor(String uid, long cost) {
    var held = reserved.get(uid);
    return cost <= bytes - used + (held == null ? 0 : held.bytes());
  }

  /**
   * Reserves memory in place of what the target holds. Without room the target holds none.
   *
   * @param created when the target's resource was; the older goes first
   * @return the younger targets that have lost theirs; empty when there is no room
   */
  synchronized Optional<List<String>> reserve(
      String uid, String namespace, Instant created, long cost) {
    release(uid);
    boolean isNew = met.add(uid);
    var displaced =
        hasRoomFor(uid, cost)
            ? Optional.of(List.<String>of())
            : isNew ? displacedBy(namespace, created, cost) : Optional.<List<String>>empty();
    if (displaced.isPresent()) {
      displaced.get().forEach(this::release);
      reserved.put(uid, new Reserved(namespace, created, cost));
      add(namespace, cost);
    }
    return displaced;
  }

  /** The youngest of those that may be displaced, of the namespace with the most each time. */
  private Optional<List<String>> displacedBy(String namespace, Instant created, long cost) {
    long own = ofNamespaces.getOrDefault(namespace, 0L);
    var held = new HashMap<>(ofNamespaces);
    var younger = new HashMap<>(reserved);
    younger.values().removeIf(it -> !it.created().isAfter(created));
    var displaced = new ArrayList<String>();
    for (long free = bytes - used; free < cost; ) {
      var next =
          younger.entrySet().stream()
              .filter(
                  it ->
                      it.getValue().namespace().equals(namespace)
                          || held.getOrDefault(it.getValue().namespace(), 0L) > own + cost)
              .max(
                  Comparator.comparing(
                          (Entry<String, Reserved> it) ->
                              held.getOrDefault(it.getValue().namespace(), 0L))
                      .thenComparing(it -> it.getValue().created()));
      if (next.isEmpty()) {
        return Optional.empty();
      }
      var lost = next.get().getValue();
      younger.remove(next.get().getKey());
      displaced.add(next.get().getKey());
      held.merge(lost.namespace(), -lost.bytes(), Long::sum);
      free += lost.bytes();
    }
    return Optional.of(displaced);
  }

  /** Frees what a target holds. */
  synchronized void release(String uid) {
    var held = reserved.remove(uid);
    if (held != null) {
      add(held.namespace(), -held.bytes());
    }
  }

  /**
   * Frees what a target holds that is deleted, or another replica's: it may return as a new one.
   */
  synchronized void forget(String uid) {
    release(uid);
    met.remove(uid);
  }

  private void add(String namespace, long more) {
    used += more;
    ofNamespaces.merge(namespace, more, (a, b) -> a + b == 0 ? null : a + b);
  }
}
