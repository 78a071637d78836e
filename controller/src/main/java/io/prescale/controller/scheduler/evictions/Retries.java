package io.prescale.controller.scheduler.evictions;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Spaces the attempts at one thing, each time twice as far apart. Not thread-safe. */
public final class Retries {
  private final Duration least;
  private final Duration most;
  private final Map<String, Attempt> attempts = new HashMap<>();

  private record Attempt(Instant next, Duration pause) {}

  /**
   * Nothing was tried yet.
   *
   * @param least time between the first attempt and the second
   * @param most time between two attempts
   */
  public Retries(Duration least, Duration most) {
    this.least = least;
    this.most = most;
  }

  /** Whether it may be tried now. */
  public boolean isDue(String key, Instant now) {
    var attempt = attempts.get(key);
    return attempt == null || !attempt.next().isAfter(now);
  }

  /** Records an attempt. */
  public void tried(String key, Instant now) {
    var before = attempts.get(key);
    var pause = before == null ? least : before.pause().multipliedBy(2);
    var bounded = pause.compareTo(most) > 0 ? most : pause;
    attempts.put(key, new Attempt(now.plus(bounded), bounded));
  }

  /** Forgets what was not tried again for long. */
  public void forget(Instant now) {
    attempts.values().removeIf(attempt -> attempt.next().plus(most).isBefore(now));
  }
}
