package io.prescale.controller.scheduler.evictions;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Pods whose eviction is refused, by PodDisruptionBudgets or for another reason that lasts. Not
 * thread-safe.
 */
public final class ProtectedPods {
  /** Until something else is done instead. */
  public static final Duration UNTIL_OTHERS = Duration.ofMinutes(10);

  /** The time after which a pod whose eviction was refused all along is tried again. */
  private static final Duration UNTIL_FORGOTTEN = Duration.ofHours(1);

  private final Map<String, Instant> since = new HashMap<>();

  /** Records a refusal. */
  public void refused(String uid, Instant now) {
    since.putIfAbsent(uid, now);
  }

  /** Records that a pod was evicted. */
  public void accepted(String uid) {
    since.remove(uid);
  }

  /** UIDs of the pods whose eviction has been refused for long. */
  public Set<String> lasting(Instant now) {
    since.values().removeIf(first -> first.plus(UNTIL_FORGOTTEN).isBefore(now));
    return since.entrySet().stream()
        .filter(entry -> !entry.getValue().plus(UNTIL_OTHERS).isAfter(now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
