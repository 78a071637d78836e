package io.prescale.controller.demand.preset;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * What one replica seems to carry. A proposal for a person to look at: nothing uses it by itself.
 *
 * @param perReplica in the unit of the demand; empty when no replica was ever full, so that only a
 *     lower bound is known
 * @param evidence what it rests on
 */
public record CapacityProposal(OptionalDouble perReplica, Evidence evidence) {
  private static final Duration ENOUGH = Duration.ofMinutes(30);
  private static final Duration PLENTY = Duration.ofHours(2);
  private static final double ALIKE = 1.5;

  /**
   * What was seen.
   *
   * @param window how far back was looked
   * @param full how long replicas were full, added up over the replicas
   * @param replicas how many were full at any time
   * @param lowest capacity of any of them; 0 when there are none
   * @param highest capacity of any of them; 0 when there are none
   * @param mostSeen the most that any replica carried, full or not; empty without any series
   */
  public record Evidence(
      Duration window,
      Duration full,
      int replicas,
      double lowest,
      double highest,
      OptionalDouble mostSeen) {}

  /** How far to trust a proposal. */
  public enum Confidence {
    /** No replica was ever full. */
    NONE,
    /** Full for less than half an hour. */
    LOW,
    /** Full for half an hour and more; one replica only, or replicas that differ. */
    MEDIUM,
    /** Full for two hours and more, on replicas that carry about the same. */
    HIGH
  }

  /** How far to trust it. */
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
