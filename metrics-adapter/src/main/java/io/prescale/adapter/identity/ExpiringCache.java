package io.prescale.adapter.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A bounded cache of answers that expire. Thread-safe. A full one drops the answer that was used
 * the longest ago, so a flood of new keys cannot displace those in use.
 */
final class ExpiringCache<K, V> {
  private record Entry<V>(V value, Instant until) {}

  private final Map<K, Entry<V>> entries;
  private final InstantSource clock;
  private final Duration holdFor;

  ExpiringCache(InstantSource clock, Duration holdFor, int capacity) {
    this.clock = clock;
    this.holdFor = holdFor;
    this.entries = new LeastRecentlyUsed<>(capacity);
  }

  /** The answer, unless it has expired. */
  synchronized Optional<V> find(K key) {
    var entry = entries.get(key);
    return entry != null && clock.instant().isBefore(entry.until())
        ? Optional.of(entry.value())
        : Optional.empty();
  }

  synchronized V put(K key, V value) {
    entries.put(key, new Entry<>(value, clock.instant().plus(holdFor)));
    return value;
  }

  private static final class LeastRecentlyUsed<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;
    private static final float LOAD_FACTOR = 0.75f;

    private final int capacity;

    LeastRecentlyUsed(int capacity) {
      super(16, LOAD_FACTOR, true);
      this.capacity = capacity;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > capacity;
    }
  }
}
