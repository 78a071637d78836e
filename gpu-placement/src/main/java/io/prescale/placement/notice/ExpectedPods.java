package io.prescale.placement.notice;

import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
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
  private static final Comparator<Expectation> ORDER =
      Comparator.comparing(Expectation::from)
          .thenComparing(Comparator.comparingDouble(Expectation::probability).reversed())
          .thenComparing(each -> each.claim().key());

  private final List<Expectation> inOrder;
  private final Instant now;
  private final ClusterAhead ahead;
  private final Takeable takeable;
  private final Pursuit pursuit;
  private final ClaimKinds kinds;
  private final Set<ClaimKinds.Kind> hopeless = new HashSet<>();
  private final Map<String, Outcome> outcomes = new HashMap<>();
  private boolean doTheyWait;

  ExpectedPods(
      List<Expectation> expected,
      Instant now,
      ClusterAhead ahead,
      Takeable takeable,
      Pursuit pursuit,
      ClaimKinds kinds) {
    inOrder = expected.stream().sorted(ORDER).toList();
    this.now = now;
    this.ahead = ahead;
    this.takeable = takeable;
    this.pursuit = pursuit;
    this.kinds = kinds;
  }

  /**
   * Decides about those that may come now and those for which pods have notice.
   *
   * @return whether cards that pods give back are meant for any of them
   */
  boolean settleDue() {
    settle(true);
    return doTheyWait;
  }

  /** Gives notice for those that come later; until they do, all may use their free cards. */
  void settleLater() {
    settle(false);
  }

  /** What became of each, by the key of its claim. */
  Map<String, Outcome> outcomes() {
    return outcomes;
  }

  private void settle(boolean now) {
    for (int place = 0; place < inOrder.size(); place++) {
      var each = inOrder.get(place);
      if (isNow(each) == now) {
        outcomes.put(each.claim().key(), settle(each, maySearch(place)));
      }
    }
  }

  private boolean isNow(Expectation each) {
    return each.isDue(now) || pursuit.isAsked(each.claim());
  }

  /** If victims could be sought for more than one round has time for, they take turns. */
  private boolean maySearch(int place) {
    long first = now.getEpochSecond() * ReclaimRound.MOST_SEARCHES;
    return Math.floorMod(place - first, (long) inOrder.size()) < ReclaimRound.MOST_SEARCHES;
  }

  private Outcome settle(Expectation each, boolean maySearch) {
    var claim = each.claim();
    if (!ahead.isOwed(claim)) {
      return withdrawn(claim, Outcome.NOT_OWED);
    }
    var found = pursuit.searchOld(claim);
    if (found.isEmpty()) {
      if (!maySearch && pursuit.victimsOf(claim).isEmpty()) {
        return hopeless.contains(kinds.of(claim)) ? Outcome.NO_ROOM : Outcome.NOT_YET;
      }
      found = hopeless.contains(kinds.of(claim)) ? Optional.empty() : pursuit.searchAnew(claim);
    }
    if (found.isEmpty()) {
      hopeless.add(kinds.of(claim));
      return withdrawn(claim, Outcome.NO_ROOM);
    }
    return pursue(each, found.get());
  }

  private Outcome withdrawn(Claimant claim, Outcome outcome) {
    pursuit.withdraw(pursuit.victimsOf(claim), List.of());
    return outcome;
  }

  private Outcome pursue(Expectation each, Reclaimed found) {
    var claim = each.claim();
    var victims = takeable.of(found);
    if (!each.isWorth(victims, now)) {
      return withdrawn(claim, Outcome.NOT_WORTH);
    }
    pursuit.withdraw(pursuit.victimsOf(claim), victims);
    pursuit.notify(claim, victims, each.from());
    if (each.isDue(now) && !victims.isEmpty()) {
      pursuit.takeIfOver(claim, victims);
    }
    // What comes later has its places too, so that the next one is not promised the same.
    pursuit.place(claim, found, victims);
    if (!isNow(each)) {
      return Outcome.NOT_YET;
    }
    pursuit.keep(claim, found);
    doTheyWait |= !victims.isEmpty();
    return victims.isEmpty() && !pursuit.isAsked(claim) ? Outcome.BOOKED : Outcome.ASKED;
  }
}
