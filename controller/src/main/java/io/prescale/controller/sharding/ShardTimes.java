package io.prescale.controller.sharding;

import java.time.Duration;

/**
 * How long replicas wait for each other.
 *
 * @param beat between two heartbeats
 * @param trusted how long a replica may write after a heartbeat
 * @param expiry the silence after which a replica writes no more; longer than {@code trusted}, so
 *     that a request that is on its way can end
 * @param forgotten the silence after which the heartbeat is removed
 */
record ShardTimes(Duration beat, Duration trusted, Duration expiry, Duration forgotten) {
  static final ShardTimes USUAL =
      new ShardTimes(
          Duration.ofSeconds(2),
          Duration.ofSeconds(8),
          Duration.ofSeconds(10),
          Duration.ofMinutes(2));

  ShardTimes {
    if (!beat.isPositive()
        || beat.compareTo(trusted) >= 0
        || trusted.compareTo(expiry) >= 0
        || expiry.compareTo(forgotten) >= 0) {
      throw new IllegalArgumentException(
          "each must be longer than the one before: %s, %s, %s, %s"
              .formatted(beat, trusted, expiry, forgotten));
    }
  }
}
