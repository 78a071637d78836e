package io.prescale.controller.operator;

import io.prescale.controller.autoscaling.TargetSettings;
import java.time.Duration;
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
 * The memory for the histories and forecasters of all targets. Where it is full, a target displaces
 * the youngest ones of the namespace that holds the most, as long as that holds more than its own
 * then would: so a namespace with no more than an equal part loses none. In its own namespace a
 * target that this process meets for the first time displaces younger ones, so that a new leader
 * begins with those that the one before worked on, in whatever order they ask. A displaced target
 * displaces none while its namespace holds some, but waits for room, and keeps no other waiting.
 * Thread-safe.
 */
final class MemoryBudget {
  /**
   * Models, errors and open forecasts of one metric. {@code PeakForecasterGrowthBenchmark} measures
   * 110 KiB beside the history, five minutes ahead; the rest is for forecasts that are open longer.
   */
  private static final long BYTES_OF_A_METRIC = 160 << 10;

  /** How many fit in that: one is made at each step, and is open until its window ends. */
  private static final long OPEN_FORECASTS = 75;

  private static final long BYTES_OF_AN_OPEN_FORECAST = 640;

  private static final Duration MEASURED_LEAD = Duration.ofHours(1);

  /** Models with leading series, beside those without. */
  private static final long BYTES_OF_MODELS = 64 << 10;

  /**
   * The history in single precision, and a second view of it after an event; or its copy in double
   * precision that waits for the first fit.
   */
  private static final long BYTES_OF_A_STEP = 8;

  /** The rest is for what is being fitted and read, for informers and for requests. */
  private static final double SHARE_OF_THE_HEAP = 0.65;

  private static final String DISPLACED =
      " (what this one had went to a namespace that held less, or to an older one of its own)";

  private final long bytes;
  private final Map<String, Reserved> reserved = new HashMap<>();
  private final Map<String, Long> ofNamespaces = new HashMap<>();
  private final Set<String> met = new HashSet<>();
  private final Set<String> displaced = new HashSet<>();
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

  /**
   * About as many bytes as a target with these settings holds.
   *
   * @param lead that its owner declares; one that is measured is hardly ever longer than an hour
   */
  static long cost(TargetSettings settings, Optional<Duration> lead) {
    var forecast = settings.forecast();
    long history = BYTES_OF_A_STEP * forecast.steps();
    long open = lead.orElse(MEASURED_LEAD).plus(forecast.window()).dividedBy(forecast.step());
    long ahead = BYTES_OF_AN_OPEN_FORECAST * Math.max(0, open - OPEN_FORECASTS);
    return settings.metrics().stream()
        .mapToLong(
            it ->
                BYTES_OF_A_METRIC
                    + ahead
                    + history * (1 + it.leading().size())
                    + (it.leading().isEmpty() ? 0 : BYTES_OF_MODELS))
        .sum();
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
   * @param created when the target's resource was; the younger loses first
   * @return the targets that have lost theirs; empty when there is no room
   */
  synchronized Optional<List<String>> reserve(
      String uid, String namespace, Instant created, long cost) {
    release(uid);
    boolean isNew = met.add(uid);
    var losers =
        hasRoomFor(uid, cost)
            ? Optional.of(List.<String>of())
            : displaced.contains(uid) && ofNamespaces.getOrDefault(namespace, 0L) > 0
                ? Optional.<List<String>>empty()
                : displacedBy(namespace, isNew ? created : Instant.MAX, cost);
    if (losers.isPresent()) {
      losers.get().forEach(this::release);
      displaced.addAll(losers.get());
      displaced.remove(uid);
      reserved.put(uid, new Reserved(namespace, created, cost));
      add(namespace, cost);
    }
    return losers;
  }

  /** Why there is no room for a target, with the remedy. */
  synchronized String whyItWaits(String uid, long cost) {
    return "This PredictiveHPA needs %d KiB of memory, and there are %d MiB for all, which others use%s; write a shorter spec.forecast.history or a longer step, or raise resources.limits.memory of Prescale's pods."
        .formatted(cost >> 10, bytes >> 20, displaced.contains(uid) ? DISPLACED : "");
  }

  /**
   * The youngest of those that may be displaced, of the namespace with the most each time.
   *
   * @param after in the same namespace only targets that are younger
   */
  private Optional<List<String>> displacedBy(String namespace, Instant after, long cost) {
    long own = ofNamespaces.getOrDefault(namespace, 0L);
    var held = new HashMap<>(ofNamespaces);
    var left = new HashMap<>(reserved);
    left.values().removeIf(it -> it.namespace().equals(namespace) && !it.created().isAfter(after));
    var losers = new ArrayList<String>();
    for (long free = bytes - used; free < cost; ) {
      var next =
          left.entrySet().stream()
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
      left.remove(next.get().getKey());
      losers.add(next.get().getKey());
      held.merge(lost.namespace(), -lost.bytes(), Long::sum);
      free += lost.bytes();
    }
    return Optional.of(losers);
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
    displaced.remove(uid);
  }

  private void add(String namespace, long more) {
    used += more;
    ofNamespaces.merge(namespace, more, (a, b) -> a + b == 0 ? null : a + b);
  }
}
