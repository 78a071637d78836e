package io.prescale.controller.lab;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * Two replicas' demand, and six replicas' for some hours of each day; no two days are alike.
 *
 * @param morning when it rises
 * @param busy for how long it is high
 */
record OfficeDays(Instant morning, Duration busy) implements Load {
  /** High for two hours. */
  OfficeDays(Instant morning) {
    this(morning, Duration.ofHours(2));
  }

  @Override
  public Duration step() {
    return Duration.ofMinutes(1);
  }

  @Override
  public double at(Instant time) {
    long since = Math.floorMod(Duration.between(morning, time).toSeconds(), 86_400L);
    long day = Math.floorDiv(Duration.between(morning, time).toSeconds(), 86_400L);
    double level = 1 + 0.1 * symmetric(day);
    double noise = 1 + 0.1 * symmetric(time.getEpochSecond() / 60);
    return level * noise * (since < busy.toSeconds() ? 57 : 15);
  }

  /** From -1 to 1, the same for the same number. */
  private static double symmetric(long number) {
    return 2 * new SplittableRandom(number).nextDouble() - 1;
  }
}
