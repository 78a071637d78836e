package io.prescale.controller.demand.source;

import io.prescale.controller.demand.prometheus.Patience;
import java.time.Duration;

/**
 * How servers are treated.
 *
 * @param requestsPerServer the most reads at the same time, half of them of one namespace
 * @param historiesPerServer the most parts of histories, half of them of one namespace
 * @param patience with one read, its attempts included
 * @param historyPatience with one part of a history
 * @param longestJitter reads begin up to this much later, so that not all begin at once
 * @param firstBackOff pause after a read that failed because of the server; doubles with each
 *     further one
 * @param longestBackOff at most
 */
public record SourceSettings(
    int requestsPerServer,
    int historiesPerServer,
    Patience patience,
    Patience historyPatience,
    Duration longestJitter,
    Duration firstBackOff,
    Duration longestBackOff) {
  public SourceSettings {
    if (requestsPerServer < 1 || historiesPerServer < 1) {
      throw new IllegalArgumentException(
          "requests per server: %d, histories: %d"
              .formatted(requestsPerServer, historiesPerServer));
    }
    if (longestJitter.isNegative()
        || firstBackOff.isNegative()
        || longestBackOff.compareTo(firstBackOff) < 0) {
      throw new IllegalArgumentException(
          "jitter %s, back-off %s..%s".formatted(longestJitter, firstBackOff, longestBackOff));
    }
  }

  /** The same with another patience with one part of a history. */
  public SourceSettings withHistoryPatience(Patience other) {
    return new SourceSettings(
        requestsPerServer,
        historiesPerServer,
        patience,
        other,
        longestJitter,
        firstBackOff,
        longestBackOff);
  }

  /** How long a read waits for its turn: until one that began before it has ended. */
  Duration longestWait() {
    return patience.longest().plus(patience.connecting());
  }

  /** After this time a read is over, whatever the server does. */
  Duration longestRead() {
    return longestJitter.plus(longestWait()).plus(patience.longest());
  }

  /** After this time a history is over, however many parts it has. */
  Duration longestHistory() {
    return historyPatience.longest().multipliedBy(3);
  }

  /**
   * 16 reads a server, 10 s and two attempts each, and 8 parts of histories, 2 minutes and two
   * attempts each; 2 s of jitter, pauses of 1 to 30 s.
   */
  public static SourceSettings defaults() {
    var patience =
        new Patience(
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            2,
            Duration.ofMillis(500),
            Duration.ofSeconds(2));
    return new SourceSettings(
        16,
        8,
        patience,
        patience.withAnswer(Duration.ofMinutes(2)),
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30));
  }
}
