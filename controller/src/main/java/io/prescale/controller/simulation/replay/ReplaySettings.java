package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.HpaRules;
import java.time.Duration;

/**
 * What all policies of a replay have in common.
 *
 * @param capacityPerReplica demand that one ready replica can carry
 * @param window length of the window whose highest demand the policies' quantiles forecast
 * @param skip how much of the trace passes before scoring begins
 * @param seed of the cold starts, when they vary
 */
public record ReplaySettings(
    double capacityPerReplica,
    HpaRules rules,
    ColdStart coldStart,
    Duration window,
    Duration skip,
    long seed) {

  static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration LONGEST_COLD_START = Duration.ofDays(1);

  public ReplaySettings {
    if (!Double.isFinite(capacityPerReplica) || capacityPerReplica <= 0) {
      throw new IllegalArgumentException("capacity per replica " + capacityPerReplica);
    }
    if (MINUTE.toNanos() % rules.syncPeriod().toNanos() != 0) {
      throw new IllegalArgumentException(
          "sync period " + rules.syncPeriod() + " does not divide a minute");
    }
    if (coldStart.planned().compareTo(LONGEST_COLD_START) > 0) {
      throw new IllegalArgumentException("cold start " + coldStart.planned());
    }
    if (window.compareTo(MINUTE) < 0 || window.toNanos() % MINUTE.toNanos() != 0) {
      throw new IllegalArgumentException("window " + window + " is not a number of minutes");
    }
    if (skip.isNegative()) {
      throw new IllegalArgumentException("skip " + skip);
    }
  }

  /** Kubernetes' defaults, 5 minutes of cold start, a 5-minute window, scored after 8 days. */
  public static ReplaySettings forCapacity(double capacityPerReplica) {
    return new ReplaySettings(
        capacityPerReplica,
        HpaRules.defaults(),
        new ColdStart.Constant(Duration.ofMinutes(5)),
        Duration.ofMinutes(5),
        Duration.ofDays(8),
        42);
  }

  public ReplaySettings withCapacity(double newCapacity) {
    return new ReplaySettings(newCapacity, rules, coldStart, window, skip, seed);
  }

  public ReplaySettings withRules(HpaRules newRules) {
    return new ReplaySettings(capacityPerReplica, newRules, coldStart, window, skip, seed);
  }

  public ReplaySettings withColdStart(ColdStart newColdStart) {
    return new ReplaySettings(capacityPerReplica, rules, newColdStart, window, skip, seed);
  }

  public ReplaySettings withSkip(Duration newSkip) {
    return new ReplaySettings(capacityPerReplica, rules, coldStart, window, newSkip, seed);
  }

  /** Rounded up to whole minutes. */
  long skipMinutes() {
    return Math.ceilDiv(skip.toSeconds(), MINUTE.toSeconds());
  }

  int syncsPerMinute() {
    return (int) (MINUTE.toNanos() / rules.syncPeriod().toNanos());
  }

  /** Whole minutes from a decision until the replica serves, rounded up. */
  public int leadMinutes() {
    return (int) Math.ceilDiv(coldStart.planned().toNanos(), MINUTE.toNanos());
  }

  public int windowMinutes() {
    return (int) window.toMinutes();
  }
}
