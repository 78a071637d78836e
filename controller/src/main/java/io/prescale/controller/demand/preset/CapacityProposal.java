package io.prescale.controller.demand.preset;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * The estimated capacity of one replica, a proposal for the user: nothing applies it automatically.
 *
 * @param perReplica in the unit of the demand; empty if no replica was ever full, which gives only
 *     a lower bound
 * @param evidence the observations behind it
 */
public record CapacityProposal(OptionalDouble perReplica, Evidence evidence) {
  private static final Duration ENOUGH = Duration.ofMinutes(30);
  private static final Duration PLENTY = Duration.ofHours(2);
  private static final double ALIKE = 1.5;

  /**
   * The observations behind a proposal.
   *
   * @param window the length of the history
   * @param full the total time for which replicas were full, summed over replicas
   * @param replicas the number of replicas that were full at any time
   * @param lowest capacity of these replicas; 0 without any
   * @param highest capacity of these replicas; 0 without any
   * @param mostSeen the highest demand that a replica carried, full or not; empty without series
   */
  public record Evidence(
      Duration window,
      Duration full,
      int replicas,
      double lowest,
      double highest,
      OptionalDouble mostSeen) {}

  /** The reliability of a proposal. */
  public enum Confidence {
    /** No replica was ever full. */
    NONE,
    /** Full for less than half an hour. */
    LOW,
    /** Full for at least half an hour; only one replica, or differing ones. */
    MEDIUM,
    /** Full for at least two hours, on replicas with similar capacity. */
    HIGH
  }

  /** The reliability of this proposal. */
  public Confidence confidence() {
    if (perReplica.isEmpty()) {
      return Confidence.NONE;
    }
    if (evidence.full().compareTo(ENOUGH) < 0) {
      return Confidence.LOW;
    }
    boolean alike = evidence.replicas() > 1 && evidence.highest() <= ALIKE * evidence.lowest();
    return alike && evidence.full().compareTo(PLENTY) >= 0 ? Confidence.HIGH : Confidence.MEDIUM;
  }
}
