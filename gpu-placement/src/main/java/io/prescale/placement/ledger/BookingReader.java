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
  private final Instant now;
  private final Map<String, Integer> held = new HashMap<>();
  private final Map<String, List<PodFacts>> waiting = new HashMap<>();
  private final Set<String> represented = new HashSet<>();

  /** A reader of a moment. */
  BookingReader(
      DemandReader reader, CardAmounts amounts, Function<PodFacts, String> queueOf, Instant now) {
    this.reader = reader;
    this.amounts = amounts;
    this.queueOf = queueOf;
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
        .forEach(
            pod ->
                of(pod, byNamespace)
                    .ifPresent(
                        booking ->
                            waiting
                                .computeIfAbsent(booking.key(), _ -> new ArrayList<>())
                                .add(pod)));
    return bookings.stream()
        .flatMap(booking -> expected(booking).stream())
        .sorted(Comparator.comparing(Expectation::from).thenComparing(it -> it.claim().key()))
        .limit(MOST)
        .toList();
  }

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

  private List<Expectation> expected(Booking booking) {
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
    var expected = new ArrayList<Expectation>();
    for (int rank = first; rank <= last; rank++) {
      var pod =
          rank - first < pods.size()
              ? Optional.of(pods.get(rank - first))
              : Optional.<PodFacts>empty();
      pod.ifPresent(it -> represented.add(it.uid()));
      var need = earliest(needs, rank);
      var from = pod.isPresent() && need.from().isAfter(now) ? now : need.from();
      expected.add(
          new Expectation(
              booking.key(),
              claim(booking, rank, cards, pod, from),
              from,
              need.until(),
              pod.isPresent() ? 1 : need.probability(),
              booking.price()));
    }
    return expected;
  }

  private static Need earliest(List<Need> needs, int rank) {
    return needs.stream().filter(need -> need.replicas() >= rank).findFirst().orElseThrow();
  }

  private Claimant claim(
      Booking booking, int rank, PodDemand.Cards demand, Optional<PodFacts> pod, Instant from) {
    var replica = booking.replica();
    return new Claimant(
        booking.key() + "/" + rank,
        queueOf.apply(replica),
        pod.map(it -> Set.of(it.uid())).orElse(Set.of()),
        List.of(demand.shape()),
        amounts.leastOf(demand),
        Optional.of(booking.nodes()),
        replica.priority(),
        from);
  }
}
