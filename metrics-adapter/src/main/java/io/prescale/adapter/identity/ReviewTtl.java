package io.prescale.adapter.identity;

import java.time.Duration;

/**
 * How long the cluster's answers about callers hold without asking again.
 *
 * @param granted for the owner of a token and for an access that is allowed; a withdrawn right
 *     still works that long
 */
public record ReviewTtl(Duration granted) {
  /** For a rejected token and an access that is denied, as in Kubernetes' generic API server. */
  static final Duration REFUSED = Duration.ofSeconds(10);

  public static final Duration LONGEST = Duration.ofMinutes(5);

  public ReviewTtl {
    if (granted.isNegative() || granted.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "reviews hold %s; from 0 s to %s is possible".formatted(granted, LONGEST));
    }
  }

  /** Longer than three periods of the HPA controller, which reads every 15 s. */
  public static ReviewTtl usual() {
    return new ReviewTtl(Duration.ofMinutes(1));
  }
}
