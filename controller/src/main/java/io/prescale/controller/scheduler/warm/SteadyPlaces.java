package io.prescale.controller.scheduler.warm;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Separates lasting places from momentary ones: places are sought anew each second, and a pull
 * cannot be taken back. Not thread-safe.
 */
final class SteadyPlaces {
  /** How long a node has to be a place before anything is pulled to it. */
  static final Duration SETTLED = Duration.ofSeconds(10);

  private final Map<Key, Instant> since = new HashMap<>();

  private record Key(String booking, String node) {}

  /**
   * Those that have been places for long enough.
   *
   * @param places by booking: node, and when a replica is created there first
   */
  Map<String, Map<String, Instant>> of(Map<String, Map<String, Instant>> places, Instant now) {
    since
        .keySet()
        .removeIf(it -> !places.getOrDefault(it.booking(), Map.of()).containsKey(it.node()));
    places.forEach(
        (booking, nodes) ->
            nodes.keySet().forEach(node -> since.putIfAbsent(new Key(booking, node), now)));
    return places.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                entry ->
                    entry.getValue().entrySet().stream()
                        .filter(it -> isSettled(entry.getKey(), it.getKey(), now))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))));
  }

  private boolean isSettled(String booking, String node, Instant now) {
    return !now.isBefore(since.getOrDefault(new Key(booking, node), now).plus(SETTLED));
  }
}
