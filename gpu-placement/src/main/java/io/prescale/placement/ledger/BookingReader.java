package io.prescale.placement.ledger;

import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Booking.Need;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Turns bookings into pods that are expected: of the replicas that are needed within {@link #AHEAD}
 * those that have no cards. Pods that wait already stand for the first of them. For one moment.
 */
final class BookingReader {
  /** What comes later is not looked at yet; longer notices begin late. */
  static final Duration AHEAD = Duration.ofHours(1);

  /** How many replicas of all bookings are looked at, those first that come first. */
  static final int MOST = 200;

  private final DemandReader reader;
  private final CardAmounts amounts;
  private final Function<PodFacts, String> queueOf;
  private final Function<String, Optional<Set<String>>> asked;
  private final Instant now;
  private final Map<String, Integer> held = new HashMap<>();
  private final Map<String, List<PodFacts>> waiting = new HashMap<>();
  private final Set<String> represented = new HashSet<>();

  /**
   * A reader of a moment.
   *
   * @param asked about which nodes the scheduler has asked for a pod that waits
   */
  BookingReader(
      DemandReader reader,
      CardAmounts amounts,
      Function<PodFacts, String> queueOf,
      Function<String, Optional<Set<String>>> asked,
      Instant now) {
    this.reader = reader;
    this.amounts = amounts;
    this.queueOf = queueOf;
    this.asked = asked;
    this.now = now;
  }

  /**
   * The pods that are expected.
   *
   * @param holding the pods that have cards, or are offered some
   * @param unbound the pods that wait and have none
   */
  List<Expectation> expected(
      List<Booking> bookings, Stream<PodFacts> holding, Stream<PodFacts> unbound) {
    var byNamespace = new HashMap<String, List<Booking>>();
    for (var booking : bookings) {
      byNamespace.computeIfAbsent(booking.pods().namespace(), _ -> new ArrayList<>()).add(booking);
    }
    holding.forEach(
        pod ->
            of(pod, byNamespace).ifPresent(booking -> held.merge(booking.key(), 1, Integer::sum)));
    unbound
        .filter(pod -> pod.group().isEmpty())
        .filter(pod -> reader.read(pod) instanceof PodDemand.Cards)
        .forEach(
            pod ->
                of(pod, byNamespace)
                    .ifPresent(
                        booking ->
                            waiting
                                .computeIfAbsent(booking.key(), _ -> new ArrayList<>())
                                .add(pod)));
    var ranked = bookings.stream().flatMap(booking -> ranked(booking).stream()).toList();
    // What comes sooner, and then the first ones of each booking before the second ones of any.
    var first =
        Comparator.comparing((Ranked each) -> later(each.pod().from(), now))
            .thenComparingInt(Ranked::before)
            .thenComparing(each -> each.pod().claim().key());
    var kept = ranked.stream().sorted(first).limit(MOST).map(Ranked::pod).toList();
    kept.forEach(each -> represented.addAll(each.claim().pods()));
    return kept;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** A pod that is expected, and how many of its booking come before it. */
  private record Ranked(Expectation pod, int before) {}

  /** UIDs of the waiting pods that stand for one that is expected. */
  Set<String> represented() {
    return represented;
  }

  /** The first booking that a pod is of; it counts for no other. */
  private static Optional<Booking> of(PodFacts pod, Map<String, List<Booking>> bookings) {
    return bookings.getOrDefault(pod.namespace(), List.of()).stream()
        .filter(booking -> booking.pods().matches(pod))
        .findFirst();
  }

  private List<Ranked> ranked(Booking booking) {
    var demand = reader.read(booking.replica());
    if (!(demand instanceof PodDemand.Cards cards)) {
      return List.of();
    }
    var needs =
        booking.needs().stream()
            .filter(need -> need.until().isAfter(now) && need.from().isBefore(now.plus(AHEAD)))
            .sorted(Comparator.comparing(Need::from).thenComparingInt(Need::replicas))
            .toList();
    int most = needs.stream().mapToInt(Need::replicas).max().orElse(0);
    int first = held.getOrDefault(booking.key(), 0) + 1;
    int last = Math.min(most, first + MOST - 1);
    var pods =
        waiting.getOrDefault(booking.key(), List.of()).stream()
            .sorted(Comparator.comparing(PodFacts::created).thenComparing(PodFacts::uid))
            .toList();
    var ranked = new ArrayList<Ranked>();
    for (int rank = first; rank <= last; rank++) {
      var pod =
          rank - first < pods.size()
              ? Optional.of(pods.get(rank - first))
              : Optional.<PodFacts>empty();
      var need = earliest(needs, rank);
      var from = pod.map(PodFacts::created).orElse(need.from());
      var key = booking.key() + "/" + rank;
      var claim =
          pod.map(it -> claim(booking, key, it)).orElseGet(() -> claim(booking, key, cards));
      ranked.add(
          new Ranked(
              new Expectation(
                  booking.key(),
                  claim,
                  from,
                  later(until(needs, need, rank), from.plusMillis(1)),
                  pod.isPresent() ? 1 : need.probability(),
                  booking.price()),
              rank - first));
    }
    return ranked;
  }

  private static Need earliest(List<Need> needs, int rank) {
    return needs.stream().filter(need -> need.replicas() >= rank).findFirst().orElseThrow();
  }

  /** The end of the need, or of those that follow it without a gap. */
  private static Instant until(List<Need> needs, Need first, int rank) {
    var until = first.until();
    for (var need : needs) {
      if (need.replicas() >= rank && !need.from().isAfter(until) && need.until().isAfter(until)) {
        until = need.until();
      }
    }
    return until;
  }

  private Claimant claim(Booking booking, String key, PodDemand.Cards demand) {
    return claim(booking.replica(), key, Set.of(), demand, booking.nodes());
  }

  /** A pod that waits claims what it asks for itself, where the scheduler considers it. */
  private Claimant claim(Booking booking, String key, PodFacts pod) {
    var demand = (PodDemand.Cards) reader.read(pod);
    var nodes = asked.apply(pod.uid()).orElse(booking.nodes());
    return claim(pod, key, Set.of(pod.uid()), demand, nodes);
  }

  private Claimant claim(
      PodFacts of, String key, Set<String> pods, PodDemand.Cards demand, Set<String> nodes) {
    return new Claimant(
        key,
        queueOf.apply(of),
        pods,
        List.of(demand.shape()),
        amounts.leastOf(demand),
        Optional.of(nodes),
        of.priority(),
        now);
  }
}
