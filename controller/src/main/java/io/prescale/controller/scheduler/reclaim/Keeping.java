package io.prescale.controller.scheduler.reclaim;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.prescale.controller.scheduler.evictions.Retries;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.KeptCards;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.notice.ReclaimRound;
import io.prescale.placement.notice.ReclaimView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Knows for which claims cards are kept: those for which pods have notice or have left, until they
 * are bound, and bookings. Not thread-safe.
 */
public final class Keeping {
  /** A claim that has its room binds within seconds; then its cards are no longer kept. */
  private static final Duration UNTIL_BOUND = Duration.ofMinutes(2);

  /** A pod starts some time after it was placed, and is not gone at once when its time is up. */
  private static final Duration TO_START_AND_STOP = Duration.ofMinutes(1);

  private final Map<String, Instant> underWay = new HashMap<>();

  /** The cards that the last round kept, by booking, and from when they are needed. */
  private Map<String, Map<String, Instant>> booked = Map.of();

  /** Since when pods of bookings that wait have their room, by UID. */
  private final Map<String, Instant> roomSince = new HashMap<>();

  /** Claims for which cards were freed and that were not bound. */
  private final Retries unbound = new Retries(Duration.ofMinutes(10), Duration.ofHours(2));

  /** Records that pods have notice for a claim, or are leaving. */
  public void isUnderWay(String claim, Instant now) {
    underWay.put(claim, now);
  }

  /** The claims for which that was so since they were bound. */
  public Set<String> underWay() {
    return underWay.keySet();
  }

  /** Whether something may be taken for a claim, or its last taking was in vain. */
  public boolean isDue(String claim, Instant now) {
    return unbound.isDue(claim, now);
  }

  /** Whether cards may be kept for one that is expected, or were kept in vain for its pod. */
  boolean isDue(Expectation expected, Instant now) {
    return expected.claim().pods().stream().allMatch(pod -> unbound.isDue(pod, now));
  }

  void clear() {
    underWay.clear();
    roomSince.clear();
    booked = Map.of();
  }

  /** Ends with claims for which nothing is kept any more; what bookings expect is no claim. */
  public void forgetBound(ReclaimRound.Result result, Set<String> claims) {
    underWay.keySet().retainAll(result.kept().keySet());
    underWay.keySet().retainAll(claims);
  }

  /** Ends with claims that have their room and are not bound; returns them. */
  public List<String> giveUp(Instant now) {
    unbound.forget(now);
    var overdue = new ArrayList<String>();
    underWay.forEach(
        (claim, since) -> {
          if (since.plus(UNTIL_BOUND).isBefore(now)) {
            overdue.add(claim);
          }
        });
    for (var claim : overdue) {
      underWay.remove(claim);
      unbound.tried(claim, now);
    }
    return overdue;
  }

  /**
   * Ends with pods of bookings that wait, have their room and are not bound; returns their claims.
   */
  List<Claimant> giveUpBooked(ReclaimRound.Result result, ReclaimView view, Instant now) {
    var withRoom = new HashMap<String, Claimant>();
    for (var each : view.expected()) {
      if (result.expected().get(each.claim().key()) == Outcome.BOOKED) {
        each.claim().pods().forEach(pod -> withRoom.put(pod, each.claim()));
      }
    }
    roomSince.keySet().retainAll(withRoom.keySet());
    withRoom.keySet().forEach(pod -> roomSince.putIfAbsent(pod, now));
    var overdue = new LinkedHashSet<Claimant>();
    withRoom.forEach(
        (pod, claim) -> {
          if (Objects.requireNonNull(roomSince.get(pod)).plus(UNTIL_BOUND).isBefore(now)) {
            roomSince.remove(pod);
            unbound.tried(pod, now);
            overdue.add(claim);
          }
        });
    return List.copyOf(overdue);
  }

  /**
   * The cards that are kept now; a pod of a booking may take any that is kept for bookings of its
   * kind. What the last round kept is kept once more: of what this one has chosen instead, others
   * may have got a card since it looked. Until one is needed, pods that end before may have it.
   */
  public List<KeptCards> kept(
      ReclaimRound.Result result,
      Map<String, Claimant> claims,
      ReclaimView view,
      Collection<Booking> bookings,
      Instant now) {
    var kept = new ArrayList<KeptCards>();
    for (var claim : underWay.keySet()) {
      var pods = Objects.requireNonNull(claims.get(claim)).pods();
      kept.add(new KeptCards(pods, result.kept().getOrDefault(claim, Set.of())));
    }
    var chosen = new HashMap<String, Map<String, Instant>>();
    for (var each : view.expected()) {
      for (var card : result.kept().getOrDefault(each.claim().key(), Set.of())) {
        chosen
            .computeIfAbsent(each.booking(), _ -> new HashMap<>())
            .merge(card, each.from(), Keeping::earlier);
      }
    }
    var alike =
        bookings.stream()
            .collect(groupingBy(Booking::kind, mapping(Booking::pods, toUnmodifiableSet())));
    for (var booking : bookings) {
      var cards = new HashMap<>(chosen.getOrDefault(booking.key(), Map.of()));
      if (!cards.isEmpty()) {
        booked.getOrDefault(booking.key(), Map.of()).forEach(cards::putIfAbsent);
      }
      var pods = Objects.requireNonNull(alike.get(booking.kind()));
      var byTime = new HashMap<Duration, Set<String>>();
      cards.forEach(
          (card, from) -> byTime.computeIfAbsent(until(from, now), _ -> new HashSet<>()).add(card));
      byTime.forEach((free, some) -> kept.add(KeptCards.booked(pods, some, free)));
    }
    booked = chosen;
    return kept;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Duration until(Instant from, Instant now) {
    var left = Duration.between(now, from).minus(TO_START_AND_STOP);
    return left.isPositive() ? left : Duration.ZERO;
  }
}
