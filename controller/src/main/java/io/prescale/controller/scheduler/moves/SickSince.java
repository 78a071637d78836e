package io.prescale.controller.scheduler.moves;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Knows since when cards are sick, as far as this process has seen. Not thread-safe. */
public final class SickSince {
  private final Map<String, Instant> since = new HashMap<>();

  /**
   * The cards that have been sick for a while, by UUID.
   *
   * @param sick those that are now
   */
  public Set<String> longerThan(Duration least, Set<String> sick, Instant now) {
    since.keySet().retainAll(sick);
    sick.forEach(uuid -> since.putIfAbsent(uuid, now));
    return since.entrySet().stream()
        .filter(entry -> !entry.getValue().plus(least).isAfter(now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
