package io.prescale.controller.lab;

import java.time.Duration;
import java.time.Instant;

/** A minute of work every four minutes, nothing between, and more on request. */
final class BatchJob implements Load {
  static final long EVERY_SECONDS = 240;
  static final long LENGTH_SECONDS = 60;

  /** After a visit has ended, and before the next one is forecast. */
  static final long EVENT_SECONDS = 170;

  private volatile Instant surprise = Instant.MAX;

  /** Work from now on for as long as a visit takes. */
  void surprise(Instant now) {
    surprise = now;
  }

  @Override
  public Duration step() {
    return Duration.ofSeconds(1);
  }

  @Override
  public double at(Instant time) {
    boolean isSurprise =
        !time.isBefore(surprise) && time.isBefore(surprise.plusSeconds(LENGTH_SECONDS));
    return phase(time) < LENGTH_SECONDS || isSurprise ? 25 : 0;
  }

  static long phase(Instant time) {
    return time.getEpochSecond() % EVERY_SECONDS;
  }
}
