package io.prescale.placement.notice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Keeps cards for pods that are expected: free ones from the time at which it would be too late to
 * ask a pod to leave them, and those of pods that end in time, or are asked to leave in time. Those
 * that come first choose first, whether pods have notice for them or not: otherwise two bookings
 * could take turns with a free card, and one notice be given and withdrawn again and again. For one
 * round.
 */
final class ExpectedPods {
  private final Map<String, List<Expectation>> byBooking;
  private final Instant now;
  private final Instant inTime;
  private final Instant soon;
  private final Pursuit pursuit;
  private final ClaimKinds kinds;
  private final Set<ClaimKinds.Kind> hopeless = new HashSet<>();

  /** Kinds for which no free card is left, until more pods are to leave. */
  private final Set<ClaimKinds.Kind> full = new HashSet<>();

  private final Map<String, Outcome> outcomes = new HashMap<>();
  private final Map<String, Set<String>> places = new HashMap<>();

  /** The booking that may have more than half of the searches; another one each second. */
  private final Optional<String> inTurn;

  private int searches;

  /**
   * @param inTime when a pod that gets a card now would have left it, if it were asked at once
   * @param kinds of claims in the round
   */
  ExpectedPods(
      List<Expectation> expected, Instant now, Instant inTime, Pursuit pursuit, ClaimKinds kinds) {
    var order =
        Comparator.comparing((Expectation each) -> each.isDue(now) ? now : each.from())
            .thenComparing(Comparator.comparingDouble(Expectation::probability).reversed())
            .thenComparing(each -> each.claim().key());
    byBooking =
        expected.stream()
            .sorted(order)
            .collect(groupingBy(Expectation::booking, LinkedHashMap::new, toList()));
    inTurn =
        byBooking.keySet().stream()
            .sorted()
            .skip(Math.floorMod(now.getEpochSecond(), Math.max(1, byBooking.size())))
            .findFirst();
    this.now = now;
    this.inTime = inTime;
    var gain = now.plus(CardHolder.USUAL_PAUSE_COST);
    this.soon = inTime.isAfter(gain) ? inTime : gain;
    this.pursuit = pursuit;
    this.kinds = kinds;
  }

  /**
   * Decides about bookings of which a pod may come soon: before a pause would have cost as much as
   * work gains that goes on until then.
   *
   * @return whether cards that pods give back are meant for any booking
   */
  boolean settleSoon() {
    boolean areAsked = later().anyMatch(pods -> pursuit.isAsked(pods.getFirst().notices()));
    for (var pods : byBooking.values()) {
      if (isSoon(pods)) {
        areAsked |= settle(pods);
      }
    }
    return areAsked;
  }

  /** Gives notice for those that come later; until it is soon, all may use their free cards. */
  void settleLater() {
    later().forEach(this::settle);
  }

  private Stream<List<Expectation>> later() {
    return byBooking.values().stream().filter(pods -> !isSoon(pods));
  }

  /** What became of each, by the key of its claim. */
  Map<String, Outcome> outcomes() {
    return outcomes;
  }

  /** The nodes of those that have a place, by the same. */
  Map<String, Set<String>> places() {
    return places;
  }

  /** The last ones are left for the booking whose turn it is, so that none waits for ever. */
  private int mostSearches(Expectation pod) {
    return inTurn.filter(pod.booking()::equals).isPresent()
        ? ReclaimRound.MOST_SEARCHES
        : ReclaimRound.MOST_SEARCHES / 2;
  }

  private boolean isSoon(List<Expectation> pods) {
    return pods.getFirst().isDue(soon);
  }

  private boolean settle(List<Expectation> pods) {
    var booked = new BookedPlaces(pods.getFirst().notices(), now, inTime, pursuit);
    full.clear();
    for (var pod : pods) {
      outcomes.put(pod.claim().key(), settle(pod, booked));
    }
    places.putAll(booked.nodes());
    return booked.finish();
  }

  private Outcome settle(Expectation pod, BookedPlaces booked) {
    if (booked.letEnd(pod)) {
      full.clear();
    }
    if (!pursuit.isOwed(pod.claim())) {
      return pursuit.isOwedOfMore(pod.claim()) ? Outcome.NO_ROOM : Outcome.NOT_OWED;
    }
    var kind = kinds.of(pod.claim());
    var free = full.contains(kind) ? Optional.<Reclaimed>empty() : pursuit.searchFree(pod.claim());
    while (free.isEmpty() && booked.letGo()) {
      free = pursuit.searchFree(pod.claim());
    }
    if (free.isPresent()) {
      return booked.takeFree(pod, free.get());
    }
    full.add(kind);
    if (hopeless.contains(kind)) {
      return Outcome.NO_ROOM;
    }
    if (searches >= mostSearches(pod)) {
      return Outcome.NOT_SEARCHED;
    }
    searches++;
    var found = pursuit.searchAnew(pod.claim());
    if (found.isEmpty()) {
      hopeless.add(kind);
      return Outcome.NO_ROOM;
    }
    full.clear(); // who leaves may leave more than is needed
    return booked.ask(pod, found.get());
  }
}
