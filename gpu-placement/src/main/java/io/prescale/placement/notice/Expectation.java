package io.prescale.placement.notice;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * A pod that is expected, and what is lost if it finds no cards.
 *
 * @param booking that expects it, among others
 * @param claim for its cards; its pods are those that wait for them already
 * @param from when it is created at the earliest
 * @param until when it is no longer needed
 * @param probability that it is needed within this time
 * @param price of an hour in which it is needed and missing, in hours of its cards
 */
public record Expectation(
    String booking, Claimant claim, Instant from, Instant until, double probability, double price) {
  private static final String NOTICES = "/booking";

  /** What became of it in a round. */
  public enum Outcome {
    /** Free cards are kept. */
    BOOKED,
    /** Pods have notice for it, or are leaving. */
    ASKED,
    /** It comes later, and free cards are there for it; they are not kept yet. */
    FREE,
    /** It comes later, and pods will be asked to leave in time. */
    NOT_YET,
    /** There is no free room; victims will be searched for in one of the next rounds. */
    NOT_SEARCHED,
    /** There is no room, and no pod that may be asked to leave. */
    NO_ROOM,
    /** Its queue is not owed the cards. */
    NOT_OWED,
    /** Keeping cards would cost more than the shortage that is likely. */
    NOT_WORTH,
    /** Cards were there for the pod, and it was not bound; for a while nothing is kept for it. */
    NOT_BOUND
  }

  public Expectation {
    if (!from.isBefore(until)) {
      throw new IllegalArgumentException(
          "needed from %s until %s; give a later end".formatted(from, until));
    }
    if (!(probability >= 0 && probability <= 1 && price >= 0 && Double.isFinite(price))) {
      throw new IllegalArgumentException(
          "a probability of %s and a price of %s; give 0 to 1, and 0 or more"
              .formatted(probability, price));
    }
  }

  /** What notices for any pod of its booking name; no pod and no gang has such a key. */
  public String notices() {
    return booking + NOTICES;
  }

  /** The booking that a notice names; empty if it is for a pod or a gang. */
  public static Optional<String> bookingOf(Notice notice) {
    var claim = notice.claim();
    return claim.endsWith(NOTICES)
        ? Optional.of(claim.substring(0, claim.length() - NOTICES.length()))
        : Optional.empty();
  }

  /** Whether it may be created now. */
  boolean isDue(Instant now) {
    return !now.isBefore(from);
  }

  /**
   * Whether keeping cards is expected to cost less than being without them, both in card-hours.
   * Without: probability × price × hours × cards. With, if it is not needed: free cards are idle,
   * and pods that leave are without theirs, for all of the time, and pay for a pause. If it is
   * needed, they leave in any case. A pod that waits is owed its cards as any other is, whatever
   * they cost.
   */
  boolean isWorth(Collection<CardHolder> leaving, Instant now) {
    if (!claim.pods().isEmpty()) {
      return true;
    }
    double hours = hours(Duration.between(isDue(now) ? now : from, until));
    double without = probability * price * hours * claim.milli();
    double inVain =
        leaving.isEmpty()
            ? hours * claim.milli()
            : leaving.stream()
                .mapToDouble(it -> it.milli() * (hours + hours(it.pauseCost())))
                .sum();
    return (1 - probability) * inVain < without;
  }

  private static double hours(Duration length) {
    return length.toMillis() / (double) Duration.ofHours(1).toMillis();
  }
}
