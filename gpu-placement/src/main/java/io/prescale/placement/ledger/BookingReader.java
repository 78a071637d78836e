package io.prescale.placement.ledger;

import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
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
 * Turns bookings into replicas that are expected: of those that are needed within {@link #AHEAD}
 * the ones that have no cards. Pods, or gangs, that wait already stand for the first of them. For
 * one moment.
 */
final class BookingReader {
  /** What comes later is not looked at yet; longer notices begin late. */
  static final Duration AHEAD = Duration.ofHours(1);

  /** How many pods of all bookings are looked at, those first that come first. */
  static final int MOST = 200;

  private final DemandReader reader;
  private final CardAmounts amounts;
  private final Function<PodFacts, String> queueOf;
  private final Function<String, Optional<Set<String>>> asked;
  private final Function<PodFacts, Optional<Claimant>> gangOf;
  private final Instant now;

  /** Replicas that have cards: UIDs of pods, or names of groups. */
  private final Map<String, Set<String>> held = new HashMap<>();

  /** Claims of those that wait, by pod or group; empty for a gang that stands for nothing yet. */
  private final Map<String, Map<String, Optional<Claimant>>> waiting = new HashMap<>();

  /** What a replica without pods claims, by booking; empty if it asks for no cards. */
  private final Map<String, Optional<Claimant>> fresh = new HashMap<>();

  private final Set<String> represented = new HashSet<>();

  /**
   * A reader of a moment.
   *
   * @param asked about which nodes the scheduler has asked for a pod that waits
   * @param gangOf the claim of the gang of a pod that waits; empty unless all of it is there
   */
  BookingReader(
      DemandReader reader,
      CardAmounts amounts,
      Function<PodFacts, String> queueOf,
      Function<String, Optional<Set<String>>> asked,
      Function<PodFacts, Optional<Claimant>> gangOf,
      Instant now) {
    this.reader = reader;
    this.amounts = amounts;
    this.queueOf = queueOf;
    this.asked = asked;
    this.gangOf = gangOf;
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
            of(pod, byNamespace)
                .filter(booking -> !booking.isOfGangs() || asksForCards(pod))
                .ifPresent(booking -> held(booking).add(replica(pod, booking))));
    unbound
        .filter(this::asksForCards)
        .forEach(pod -> of(pod, byNamespace).ifPresent(booking -> noteWaiting(pod, booking)));
    var ranked = bookings.stream().flatMap(booking -> ranked(booking).stream()).toList();
    // What comes sooner, and then the first ones of each booking before the second ones of any.
    var first =
        Comparator.comparing((Ranked each) -> later(each.pod().from(), now))
            .thenComparingInt(Ranked::before)
            .thenComparing(each -> each.pod().claim().key());
    var kept = new ArrayList<Expectation>();
    int left = MOST;
    for (var each : ranked.stream().sorted(first).map(Ranked::pod).toList()) {
      int pods = each.claim().shapes().size();
      if (pods <= left) {
        left -= pods;
        kept.add(each);
        represented.addAll(each.claim().pods());
      }
    }
    return kept;
  }

  private boolean asksForCards(PodFacts pod) {
    return reader.read(pod) instanceof PodDemand.Cards;
  }

  private Set<String> held(Booking booking) {
    return held.computeIfAbsent(booking.key(), _ -> new HashSet<>());
  }

  /** What a pod counts for: itself, or its group. */
  private static String replica(PodFacts pod, Booking booking) {
    return booking.isOfGangs() ? pod.group().map(Group::name).orElse(pod.uid()) : pod.uid();
  }

  /** A gang whose pods are not all there stands for nothing yet; where one is bound, it is held. */
  private void noteWaiting(PodFacts pod, Booking booking) {
    var name = replica(pod, booking);
    var claims = waiting.computeIfAbsent(booking.key(), _ -> new HashMap<>());
    boolean isAlone = pod.group().filter(it -> it.size() != 1).isEmpty();
    if (isAlone != booking.isOfGangs()
        && !claims.containsKey(name)
        && !held(booking).contains(name)) {
      claims.put(
          name,
          booking.isOfGangs() ? claimOfGang(booking, pod) : Optional.of(claimOfPod(booking, pod)));
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** A pod that is expected, and how many of those of its booking come before it. */
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
    if (fresh(booking).isEmpty()) {
      return List.of();
    }
    var usual = fresh(booking).get();
    var needs = needsAhead(booking);
    int most = needs.stream().mapToInt(Need::replicas).max().orElse(0);
    int first = held(booking).size() + 1;
    int last = Math.min(most, first + MOST - 1);
    var present = waitingFor(booking);
    var ranked = new ArrayList<Ranked>();
    for (int rank = first; rank <= last; rank++) {
      var waits =
          rank - first < present.size()
              ? Optional.of(present.get(rank - first))
              : Optional.<Claimant>empty();
      var need = earliest(needs, rank);
      var from = waits.map(Claimant::since).orElse(need.from());
      ranked.add(
          new Ranked(
              new Expectation(
                  booking.key(),
                  waits.orElse(usual).as(booking.key() + "/" + rank),
                  from,
                  later(until(needs, need, rank), from.plusMillis(1)),
                  waits.isPresent() ? 1 : need.probability(),
                  booking.price()),
              (rank - first) * usual.shapes().size()));
    }
    return ranked;
  }

  /** The first to begin first, and of those the smallest. */
  private List<Need> needsAhead(Booking booking) {
    return booking.needs().stream()
        .filter(need -> need.until().isAfter(now) && need.from().isBefore(now.plus(AHEAD)))
        .sorted(Comparator.comparing(Need::from).thenComparingInt(Need::replicas))
        .toList();
  }

  /** Those that wait longest first. */
  private List<Claimant> waitingFor(Booking booking) {
    return waiting.getOrDefault(booking.key(), Map.of()).values().stream()
        .flatMap(Optional::stream)
        .sorted(Comparator.comparing(Claimant::since).thenComparing(Claimant::key))
        .toList();
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

  private Optional<Claimant> fresh(Booking booking) {
    return fresh.computeIfAbsent(booking.key(), _ -> claimOfReplica(booking));
  }

  private Optional<Claimant> claimOfReplica(Booking booking) {
    var cards =
        booking.replica().stream()
            .map(reader::read)
            .filter(PodDemand.Cards.class::isInstance)
            .map(PodDemand.Cards.class::cast)
            .toList();
    var first = booking.replica().getFirst();
    return cards.isEmpty()
        ? Optional.empty()
        : Optional.of(claim(booking.key(), first, Set.of(), cards, booking.nodes(), now));
  }

  /** A pod that waits claims what it asks for itself, where the scheduler considers it. */
  private Claimant claimOfPod(Booking booking, PodFacts pod) {
    var demand = (PodDemand.Cards) reader.read(pod);
    var nodes = asked.apply(pod.uid()).orElse(booking.nodes());
    return claim(pod.uid(), pod, Set.of(pod.uid()), List.of(demand), nodes, pod.created());
  }

  /** The same for the pods of a gang, which takes nothing of queues where there are none. */
  private Optional<Claimant> claimOfGang(Booking booking, PodFacts pod) {
    long usual = fresh(booking).map(Claimant::milli).orElse(0L);
    return gangOf
        .apply(pod)
        .map(
            it ->
                new Claimant(
                    it.key(),
                    queueOf.apply(pod),
                    it.pods(),
                    it.shapes(),
                    it.milli() > 0 ? it.milli() : usual,
                    it.nodes().or(() -> Optional.of(booking.nodes())),
                    it.priority(),
                    it.since()));
  }

  private Claimant claim(
      String key,
      PodFacts template,
      Set<String> pods,
      List<PodDemand.Cards> demands,
      Set<String> nodes,
      Instant since) {
    return new Claimant(
        key,
        queueOf.apply(template),
        pods,
        demands.stream().map(PodDemand.Cards::shape).toList(),
        demands.stream().mapToLong(amounts::leastOf).sum(),
        Optional.of(nodes),
        template.priority(),
        since);
  }
}
