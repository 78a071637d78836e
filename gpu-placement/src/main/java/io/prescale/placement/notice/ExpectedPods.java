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

/**
 * Keeps cards for pods that are expected: free ones from the time at which they may come, and those
 * of pods that are asked to leave in time for it. Those that come first choose first. For one
 * round.
 */
final class ExpectedPods {
  private final Map<String, List<Expectation>> byBooking;
  private final Instant now;
  private final Pursuit pursuit;
  private final ClaimKinds kinds;
  private final Set<ClaimKinds.Kind> hopeless = new HashSet<>();

  /** Kinds for which no free card is left, until more pods are to leave. */
  private final Set<ClaimKinds.Kind> full = new HashSet<>();

  private final Map<String, Outcome> outcomes = new HashMap<>();

  /** The booking that may have more than half of the searches; another one each second. */
  private final Optional<String> inTurn;

  private int searches;

  ExpectedPods(List<Expectation> expected, Instant now, Pursuit pursuit, ClaimKinds kinds) {
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
    this.pursuit = pursuit;
    this.kinds = kinds;
  }

  /**
   * Decides about bookings of which a pod may come now or for which pods have notice.
   *
   * @return whether cards that pods give back are meant for any of them
   */
  boolean settleDue() {
    boolean areAsked = false;
    for (var pods : byBooking.values()) {
      if (isNow(pods)) {
        areAsked |= settle(pods);
      }
    }
    return areAsked;
  }

  /** Gives notice for those that come later; until they do, all may use their free cards. */
  void settleLater() {
    byBooking.values().stream().filter(pods -> !isNow(pods)).forEach(this::settle);
  }

  /** What became of each, by the key of its claim. */
  Map<String, Outcome> outcomes() {
    return outcomes;
  }

  /** The last ones are left for the booking whose turn it is, so that none waits for ever. */
  private int mostSearches(Expectation pod) {
    return inTurn.filter(pod.booking()::equals).isPresent()
        ? ReclaimRound.MOST_SEARCHES
        : ReclaimRound.MOST_SEARCHES / 2;
  }

  private boolean isNow(List<Expectation> pods) {
    var first = pods.getFirst();
    return first.isDue(now) || pursuit.isAsked(first.notices());
  }

  private boolean settle(List<Expectation> pods) {
    var booked = new BookedPlaces(pods.getFirst().notices(), now, pursuit);
    full.clear();
    for (var pod : pods) {
      outcomes.put(pod.claim().key(), settle(pod, booked));
    }
    return booked.finish();
  }

  private Outcome settle(Expectation pod, BookedPlaces booked) {
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
