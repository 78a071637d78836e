package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Cards that are kept for a claim for which other pods give theirs back, for a booking, or for the
 * replacement of a pod that moves.
 *
 * @param pods UIDs of the pods that may be placed on them
 * @param selectors of further such pods, which may not exist yet
 * @param uuids of the cards
 * @param isTheirPlace whether those pods are placed nowhere else while there is room for them here
 * @param lentFor until those pods may come, which is how long others may run on them
 */
public record KeptCards(
    Set<String> pods,
    Set<PodSelector> selectors,
    Set<String> uuids,
    boolean isTheirPlace,
    Duration lentFor) {
  public KeptCards {
    pods = Set.copyOf(pods);
    selectors = Set.copyOf(selectors);
    uuids = Set.copyOf(uuids);
  }

  /** Cards that are kept for some pods. */
  public KeptCards(Set<String> pods, Set<String> uuids) {
    this(pods, Set.of(), uuids, false, Duration.ZERO);
  }

  /**
   * Cards that are booked for the next pods of some kinds, which may be placed elsewhere as well.
   */
  public static KeptCards booked(Set<PodSelector> pods, Set<String> uuids, Duration lentFor) {
    return new KeptCards(Set.of(), pods, uuids, false, lentFor);
  }

  /** A place that is booked for the next pod of a kind. */
  public static KeptCards place(PodSelector pods, Set<String> uuids) {
    return new KeptCards(Set.of(), Set.of(pods), uuids, true, Duration.ZERO);
  }

  /** The same without some cards. */
  KeptCards without(Set<String> others) {
    var left = new HashSet<>(uuids);
    left.removeAll(others);
    return new KeptCards(pods, selectors, left, isTheirPlace, lentFor);
  }

  /**
   * Whether a pod may be placed on them: one of theirs, or one that will have ended before and that
   * can be asked to leave if it has not.
   */
  boolean admit(PodFacts pod) {
    return areFor(pod)
        || (!pod.isNeverTaken()
            && pod.length().filter(it -> it.length().compareTo(lentFor) <= 0).isPresent());
  }

  /** Whether they are kept for a pod. */
  boolean areFor(PodFacts pod) {
    return pods.contains(pod.uid()) || selectors.stream().anyMatch(it -> it.matches(pod));
  }
}
