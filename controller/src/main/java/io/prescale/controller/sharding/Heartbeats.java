package io.prescale.controller.sharding;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which replicas live, as one of them observes it: those whose heartbeat has changed recently. Only
 * the observer's monotonic clock counts, so clocks of replicas may differ.
 *
 * @param last what was last observed of each replica
 */
record Heartbeats(Map<String, Beat> last) {
  /** Nothing was observed yet. */
  static final Heartbeats NONE = new Heartbeats(Map.of());

  Heartbeats {
    last = Map.copyOf(last);
  }

  /**
   * A heartbeat.
   *
   * @param text different each time; empty for a replica of which only the name is known
   * @param seenAt when it was first observed, in nanoseconds of the observer's clock
   */
  record Beat(String text, long seenAt) {}

  /**
   * What is known after another look.
   *
   * @param texts the heartbeats by replica
   * @param named replicas that hold a shard, with a heartbeat or without
   * @param now when the look was over
   */
  Heartbeats after(Map<String, String> texts, Set<String> named, long now) {
    var next = new HashMap<String, Beat>();
    named.forEach(name -> next.put(name, seen(name, "", now)));
    texts.forEach((name, text) -> next.put(name, seen(name, text, now)));
    return new Heartbeats(next);
  }

  private Beat seen(String name, String text, long now) {
    @Nullable Beat before = last.get(name);
    return before != null && before.text().equals(text) ? before : new Beat(text, now);
  }

  /**
   * Those that have shown a sign of life.
   *
   * @param now when the last look began
   */
  SortedSet<String> live(long now, Duration within) {
    var live = new TreeSet<String>();
    last.forEach(
        (name, beat) -> {
          if (now - beat.seenAt() < within.toNanos()) {
            live.add(name);
          }
        });
    return live;
  }

  /** Those that have shown no sign of life for the given time. */
  SortedSet<String> silent(long now, Duration since) {
    var silent = new TreeSet<>(last.keySet());
    silent.removeAll(live(now, since));
    return silent;
  }
}
