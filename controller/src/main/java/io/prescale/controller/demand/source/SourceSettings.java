package io.prescale.controller.demand.source;

import io.prescale.controller.demand.prometheus.Patience;
import java.time.Duration;

/**
 * How servers are treated.
 *
 * @param requestsPerServer at most so many at a time
 * @param patience with one read, its attempts included
 * @param historyPatience with one part of a history
 * @param longestJitter reads begin up to this much later, so that not all begin at once
 * @param firstBackOff pause after a read that failed because of the server; doubles with each
 *     further one
 * @param longestBackOff at most
 */
public record SourceSettings(
    int requestsPerServer,
    Patience patience,
    Patience historyPatience,
    Duration longestJitter,
    Duration firstBackOff,
    Duration longestBackOff) {
  public SourceSettings {
    if (requestsPerServer < 1) {
      throw new IllegalArgumentException("requests per server: " + requestsPerServer);
    }
    if (longestJitter.isNegative()
        || firstBackOff.isNegative()
        || longestBackOff.compareTo(firstBackOff) < 0) {
      throw new IllegalArgumentException(
          "jitter %s, back-off %s..%s".formatted(longestJitter, firstBackOff, longestBackOff));
    }
  }

  /** Eight requests a server, 10 s and two attempts each, 2 s of jitter, pauses of 1 to 30 s. */
  public static SourceSettings defaults() {
    return new SourceSettings(
        8,
        new Patience(
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            2,
            Duration.ofMillis(500),
            Duration.ofSeconds(2)),
        Patience.defaults(),
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30));
  }
}
