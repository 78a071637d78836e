package io.prescale.controller.demand.prometheus;

import java.time.Duration;

/**
 * How long to wait for a server, and how often to try again when it is busy or unreachable.
 *
 * @param connecting for a connection
 * @param answer for one request, from sending it to the last byte of the answer
 * @param attempts at one request, the first included
 * @param firstPause after the first failure; doubles with each further one
 * @param longestPause however long the server asks to wait
 */
public record Patience(
    Duration connecting,
    Duration answer,
    int attempts,
    Duration firstPause,
    Duration longestPause) {
  public Patience {
    if (!connecting.isPositive() || !answer.isPositive()) {
      throw new IllegalArgumentException("timeouts must be positive");
    }
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be positive: " + attempts);
    }
    if (firstPause.isNegative() || longestPause.compareTo(firstPause) < 0) {
      throw new IllegalArgumentException("pauses of " + firstPause + ".." + longestPause);
    }
  }

  /** Prometheus' own limit of two minutes for a query, and four attempts within some seconds. */
  public static Patience defaults() {
    return new Patience(
        Duration.ofSeconds(10),
        Duration.ofMinutes(2),
        4,
        Duration.ofMillis(500),
        Duration.ofSeconds(30));
  }

  public Patience withAnswer(Duration newAnswer) {
    return new Patience(connecting, newAnswer, attempts, firstPause, longestPause);
  }

  /** The pause after so many failures, of which the last may have named one itself. */
  Duration pause(int failures, Duration asked) {
    var doubled = firstPause.multipliedBy(1L << Math.min(failures - 1, 20));
    var wanted = asked.compareTo(doubled) > 0 ? asked : doubled;
    return wanted.compareTo(longestPause) > 0 ? longestPause : wanted;
  }
}
