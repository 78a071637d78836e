package io.prescale.controller.scheduler.evictions;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Counts pods to which something was done within the last hour. Not thread-safe. */
public final class WithinTheHour {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Map<String, Instant> pods = new HashMap<>();

  /** Records a pod, by UID; returns whether it is not counted yet. */
  public boolean add(String uid, Instant now) {
    return pods.putIfAbsent(uid, now) == null;
  }

  /** How many there are. */
  public int count(Instant now) {
    pods.values().removeIf(at -> at.plus(HOUR).isBefore(now));
    return pods.size();
  }
}
