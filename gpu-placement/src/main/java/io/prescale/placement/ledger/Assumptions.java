package io.prescale.placement.ledger;

import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.ledger.Holding.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Finds places for single pods and assumes them for a while. Not thread-safe. */
record Assumptions(
    Holdings holdings, WaitingPods waiting, DemandReader reader, PermittedPlaces places) {
  /** The same, for which another number of nodes is listed at most. */
  Assumptions listing(int most) {
    return new Assumptions(holdings, waiting, reader, places.listing(most));
  }

  /** Finds where a pod could go among some nodes, and assumes the best place until a time. */
  Candidates assume(
      PodFacts pod, List<String> nodes, Instant now, Instant until, ToLongFunction<String> crowd) {
    var own = holdings.of(pod.uid()).filter(Holding::isAssumed);
    own.ifPresent(_ -> holdings.release(pod.uid()));
    var found = places.among(pod, reader.read(pod), nodes, now, crowd);
    if (!holdings.has(pod.uid())) {
      found.best().ifPresent(best -> holdings.hold(holding(pod, best, found.ranked(), until)));
    }
    // Only now: its own place is no news for pods that claim a turn before it.
    own.filter(it -> !isSame(it, holdings.of(pod.uid())))
        .ifPresent(it -> waiting.roomOn(it.node()));
    return found.candidates();
  }

  private static boolean isSame(Holding before, Optional<Holding> now) {
    return now.filter(
            it ->
                it.node().equals(before.node())
                    && it.placement().equals(before.placement())
                    && it.units().equals(before.units()))
        .isPresent();
  }

  /** The kind of a pod; empty if cards are kept for the very pod. */
  Optional<GangSearch.PodKind> kindOf(PodFacts pod) {
    return places.kindOf(pod, reader.read(pod));
  }

  /** Whether the cards that pods of a kind may have depend on what their queue has left. */
  boolean isChoosyByQueue(GangSearch.PodKind kind) {
    return places.isChoosyByQueue(kind.demand());
  }

  /** An assumed place. */
  static Holding holding(PodFacts pod, NodeChoice.Place place, Ranked ranked, Instant until) {
    return new Holding(
        pod,
        place.node(),
        place.placement(),
        place.units(),
        State.ASSUMED,
        ranked,
        until,
        List.of());
  }

  /** Releases what a pod holds. */
  void release(String uid) {
    holdings.release(uid).ifPresent(holding -> waiting.roomOn(holding.node()));
  }

  /** Releases what is reserved for members that are not being bound. */
  void releaseGroup(String namespace, Group group) {
    for (var holding : holdings.assumed()) {
      if (holding.pod().isOf(namespace, group)) {
        release(holding.pod().uid());
      }
    }
  }
}
