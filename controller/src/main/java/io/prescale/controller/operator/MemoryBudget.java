package io.prescale.controller.operator;

import io.prescale.controller.autoscaling.TargetSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The memory for the histories and forecasters of all targets. Older targets go first, in whatever
 * order they ask, so that a new leader begins with those that the one before worked on: one for
 * which there is no room displaces younger ones, or waits, and while it waits no younger one gets
 * room. Thread-safe.
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

  /** A target that waits is asked for more often than this, unless it was deleted. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

  private final long bytes;
  private final Map<String, Reserved> reserved = new HashMap<>();
  private final Map<String, Waiting> waiting = new HashMap<>();
  private long used;

  private record Reserved(Instant created, long bytes) {}

  private record Waiting(Instant created, Instant asked) {}

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

  /**
   * Reserves memory in place of what the target holds. Without room the target holds none.
   *
   * @param created when the target's resource was; the older goes first
   * @return the younger targets that have lost theirs; empty when there is no room
   */
  synchronized Optional<List<String>> reserve(String uid, Instant created, long cost, Instant now) {
    waiting.values().removeIf(it -> it.asked().plus(FORGOTTEN_AFTER).isBefore(now));
    waiting.remove(uid);
    long held = bytesOf(reserved.get(uid));
    boolean isNext =
        cost <= held || waiting.values().stream().noneMatch(it -> it.created().isBefore(created));
    release(uid);
    var displaced = isNext ? displacedBy(created, cost) : Optional.<List<String>>empty();
    if (displaced.isPresent()) {
      displaced.get().forEach(this::release);
      reserved.put(uid, new Reserved(created, cost));
      used += cost;
    } else if (cost <= bytes) {
      waiting.put(uid, new Waiting(created, now));
    }
    return displaced;
  }

  /** The youngest targets whose memory suffices; empty when that of all younger ones does not. */
  private Optional<List<String>> displacedBy(Instant created, long cost) {
    var displaced = new ArrayList<String>();
    long free = bytes - used;
    var younger =
        reserved.entrySet().stream()
            .filter(it -> it.getValue().created().isAfter(created))
            .sorted(
                Comparator.comparing((Entry<String, Reserved> it) -> it.getValue().created())
                    .reversed())
            .iterator();
    while (free < cost && younger.hasNext()) {
      var next = younger.next();
      displaced.add(next.getKey());
      free += next.getValue().bytes();
    }
    return free < cost ? Optional.empty() : Optional.of(displaced);
  }

  private static long bytesOf(@Nullable Reserved held) {
    return held == null ? 0 : held.bytes();
  }

  synchronized void release(String uid) {
    waiting.remove(uid);
    used -= bytesOf(reserved.remove(uid));
  }
}
