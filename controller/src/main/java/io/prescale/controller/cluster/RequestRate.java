package io.prescale.controller.cluster;

/**
 * A token bucket: a number of requests a second in the long run, and a burst of more after a pause.
 * Not thread-safe.
 */
final class RequestRate {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double perSecond;
  private final int burst;
  private double tokens;
  private long filledAt;

  /**
   * A full bucket.
   *
   * @param now nanoseconds of a clock that never goes back
   */
  RequestRate(double perSecond, int burst, long now) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.tokens = burst;
    this.filledAt = now;
  }

  /** Nanoseconds until a request may be sent; 0 if one may be now. */
  long untilNext(long now) {
    tokens = Math.min(burst, tokens + (now - filledAt) / NANOS_PER_SECOND * perSecond);
    filledAt = now;
    return tokens >= 1 ? 0 : (long) Math.ceil((1 - tokens) / perSecond * NANOS_PER_SECOND);
  }

  void sent() {
    tokens--;
  }
}
