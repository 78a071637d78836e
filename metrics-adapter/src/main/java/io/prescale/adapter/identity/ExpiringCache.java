package io.prescale.adapter.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache of answers that expire after a short time. Thread-safe; concurrent misses of one key ask
 * more than once, which is harmless, and no lock is held while asking.
 */
final class ExpiringCache<K, V> {
  /** Computes an answer that is not in the cache. */
  @FunctionalInterface
  interface Question<K, V> {
    V ask(K key) throws ReviewException;
  }

  private record Entry<V>(V value, Instant until) {}

  private final ConcurrentHashMap<K, Entry<V>> entries = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final Duration holdFor;
  private final int capacity;

  /**
   * Creates an empty cache.
   *
   * @param capacity how many answers are kept; a full cache drops the expired ones, then all
   */
  ExpiringCache(InstantSource clock, Duration holdFor, int capacity) {
    this.clock = clock;
    this.holdFor = holdFor;
    this.capacity = capacity;
  }

  /** The cached answer, or a new one from {@code question}; failures are not cached. */
  V get(K key, Question<K, V> question) throws ReviewException {
    var now = clock.instant();
    var entry = entries.get(key);
    if (entry != null && now.isBefore(entry.until())) {
      return entry.value();
    }
    var value = question.ask(key);
    if (entries.size() >= capacity) {
      entries.values().removeIf(old -> !now.isBefore(old.until()));
      if (entries.size() >= capacity) {
        entries.clear();
      }
    }
    entries.put(key, new Entry<>(value, now.plus(holdFor)));
    return value;
  }

  void forget(K key) {
    entries.remove(key);
  }
}
