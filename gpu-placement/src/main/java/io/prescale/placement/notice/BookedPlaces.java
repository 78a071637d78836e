package io.prescale.placement.notice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The places of one booking in a round. Pods that have notice for it count as gone one gang after
 * another, as far as they are needed, whichever of its pods they were asked for; the others keep
 * their cards. Pods that end before one of the booking comes count as gone for it without notice.
 * Not thread-safe.
 */
final class BookedPlaces {
  private final String notices;
  private final Instant now;
  private final Instant inTime;
  private final Pursuit pursuit;

  /** Pods that have notice and still may go, with their cards; the first was asked first. */
  private final Map<CardHolder, Set<String>> asked = new LinkedHashMap<>();

  /** Those of them that do not count as gone yet, by gang; the first was asked first. */
  private final Deque<List<CardHolder>> staying = new ArrayDeque<>();

  /** Pods that end before one of the booking comes. */
  private final List<CardHolder> ending = new ArrayList<>();

  /** Those whose leaving a pod of the booking has paid for; for further ones they are free. */
  private final Set<CardHolder> paidFor = new HashSet<>();

  private final Set<String> wanted = new HashSet<>();
  private final Set<String> wantedNow = new HashSet<>();
  private final Map<String, Set<String>> nodes = new HashMap<>();

  /**
   * @param inTime when a pod that gets a card now would have left it, if it were asked at once
   */
  BookedPlaces(String notices, Instant now, Instant inTime, Pursuit pursuit) {
    this.notices = notices;
    this.now = now;
    this.inTime = inTime;
    this.pursuit = pursuit;
    var given = new HashMap<String, Long>();
    pursuit.willing(notices).stream()
        .sorted(Comparator.comparing(BookedPlaces::noticed).thenComparing(CardHolder::uid))
        .collect(groupingBy(CardHolder::unit, LinkedHashMap::new, toList()))
        .values()
        .stream()
        .filter(unit -> isBeyondGuarantee(unit, given))
        .forEach(
            unit -> {
              staying.add(unit);
              unit.forEach(holder -> asked.put(holder, pursuit.cardsOf(holder)));
            });
  }

  /** Cards may be gone since they got their notice, so that the queue has less to give. */
  private boolean isBeyondGuarantee(List<CardHolder> unit, Map<String, Long> given) {
    var queue = unit.getFirst().queue();
    long all = given.getOrDefault(queue, 0L) + unit.stream().mapToLong(CardHolder::milli).sum();
    boolean isBeyond = all <= pursuit.beyondGuarantee(queue);
    if (isBeyond) {
      given.put(queue, all);
    }
    return isBeyond;
  }

  private static Instant noticed(CardHolder holder) {
    return holder.notice().orElseThrow().at();
  }

  /** The nodes of the places that were taken, by the keys of claims. */
  Map<String, Set<String>> nodes() {
    return nodes;
  }

  /** Whether there was another gang that has notice; it counts as gone from now on. */
  boolean letGo() {
    if (staying.isEmpty()) {
      return false;
    }
    pursuit.leave(staying.remove());
    return true;
  }

  /** Whether further pods end before one of the booking comes; they count as gone from now on. */
  boolean letEnd(Expectation pod) {
    var more = pursuit.endingBy(pod.from());
    ending.addAll(more);
    pursuit.leave(more);
    return !more.isEmpty();
  }

  /** Takes a place on cards that are free once those that have notice are gone. */
  Outcome takeFree(Expectation pod, Reclaimed found) {
    var cards = Pursuit.cardsOf(found);
    var leaving = withTheirGangs(askedOn(cards));
    if (!isWorth(pod, leaving)) {
      return Outcome.NOT_WORTH;
    }
    place(pod, found, cards);
    if (!pod.isDue(inTime) && leaving.isEmpty()) {
      return Outcome.FREE;
    }
    pursuit.keep(pod.claim(), cards);
    return leaving.isEmpty() && !pursuit.isLeftFor(notices) ? Outcome.BOOKED : Outcome.ASKED;
  }

  /** Weighs a pod against those that leave for it and for no earlier one. */
  private boolean isWorth(Expectation pod, List<CardHolder> leaving) {
    var unpaid = leaving.stream().filter(holder -> !paidFor.contains(holder)).toList();
    boolean isWorth = pod.isWorth(unpaid, now);
    if (isWorth) {
      paidFor.addAll(unpaid);
    }
    return isWorth;
  }

  private void place(Expectation pod, Reclaimed found, Set<String> cards) {
    pursuit.arrive(pod.claim(), found);
    nodes.put(pod.claim().key(), found.placements().stream().map(Placement::node).collect(toSet()));
    wanted.addAll(cards);
    if (pod.isDue(now)) {
      wantedNow.addAll(cards);
    }
  }

  /** Gives notice to further pods, all at the time at which the first of them has to have it. */
  Outcome ask(Expectation pod, Reclaimed found) {
    var victims = pursuit.victimsIn(found);
    if (!isWorth(pod, victims)) {
      return Outcome.NOT_WORTH;
    }
    var cards = Pursuit.cardsOf(found);
    pursuit.leave(victims);
    place(pod, found, cards);
    if (victims.stream().allMatch(victim -> now.plus(victim.grace()).isBefore(pod.from()))) {
      return Outcome.NOT_YET;
    }
    victims.forEach(victim -> pursuit.notify(victim, notices));
    return Outcome.ASKED;
  }

  /**
   * Withdraws the notices of pods whose cards are not needed, and takes those whose notices have
   * run out.
   *
   * @return whether cards that pods give back are meant for the booking
   */
  boolean finish() {
    pursuit.withdraw(pursuit.victimsOf(notices), asked.keySet());
    var needed = withTheirGangs(askedOn(wanted));
    var needless = new ArrayList<>(asked.keySet());
    needless.removeAll(needed);
    needless.forEach(pursuit::stay);
    ending.forEach(holder -> pursuit.stayBeside(holder, wanted));
    pursuit.withdraw(needless, List.of());
    pursuit.takeOver(notices, withTheirGangs(askedOn(wantedNow)));
    return !needed.isEmpty() || pursuit.isLeftFor(notices);
  }

  private List<CardHolder> askedOn(Set<String> cards) {
    return asked.entrySet().stream()
        .filter(entry -> !Collections.disjoint(entry.getValue(), cards))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Those that end together are needed together. */
  private List<CardHolder> withTheirGangs(List<CardHolder> some) {
    var units = some.stream().map(CardHolder::unit).collect(toSet());
    return asked.keySet().stream().filter(it -> units.contains(it.unit())).toList();
  }
}
