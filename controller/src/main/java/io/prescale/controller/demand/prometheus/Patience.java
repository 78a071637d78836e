package io.prescale.controller.demand.prometheus;

import java.time.Duration;

/**
 * Timeouts and retries for a server that is slow, busy or unreachable.
 *
 * @param connecting timeout of a connection attempt
 * @param answer timeout of one request, from sending it to the last byte of the response
 * @param attempts the number of attempts per request, including the first
 * @param firstPause the pause after the first failure, which doubles with each further one
 * @param longestPause the longest pause, even if the server asks for more
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

  /** Two minutes, which is Prometheus' own limit for a query, and four attempts within seconds. */
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

  /** The longest time until a request succeeds or fails for good. */
  public Duration longest() {
    return answer.multipliedBy(attempts).plus(longestPause.multipliedBy(attempts - 1L));
  }

  /** The pause after a number of failures, at least as long as the server asked for. */
  Duration pause(int failures, Duration asked) {
    var doubled = firstPause.multipliedBy(1L << Math.min(failures - 1, 20));
    var wanted = asked.compareTo(doubled) > 0 ? asked : doubled;
    return wanted.compareTo(longestPause) > 0 ? longestPause : wanted;
  }
}
