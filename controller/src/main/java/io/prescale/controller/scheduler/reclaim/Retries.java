package io.prescale.controller.scheduler.reclaim;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Spaces the attempts at one thing: one second, then twice as long each time, at most a minute. */
final class Retries {
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofMinutes(1);

  private final Map<String, Attempt> attempts = new HashMap<>();

  private record Attempt(Instant next, Duration pause) {}

  /** Whether it may be tried now. */
  boolean isDue(String key, Instant now) {
    var attempt = attempts.get(key);
    return attempt == null || !attempt.next().isAfter(now);
  }

  /** Records an attempt. */
  void tried(String key, Instant now) {
    var before = attempts.get(key);
    var pause = before == null ? LEAST : before.pause().multipliedBy(2);
    var bounded = pause.compareTo(MOST) > 0 ? MOST : pause;
    attempts.put(key, new Attempt(now.plus(bounded), bounded));
  }

  /** Forgets what was not tried again for long. */
  void forget(Instant now) {
    attempts.values().removeIf(attempt -> attempt.next().plus(MOST).isBefore(now));
  }
}
