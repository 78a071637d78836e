package io.prescale.placement.ledger;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.ledger.Holding.State;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what taking back needs to know. Not thread-safe. */
final class ReclaimReader {
  private final Fleet fleet;
  private final Holdings holdings;
  private final WaitingPods waiting;
  private final QueueAccounts queues;
  private final DemandReader reader;
  private final PodGroups groups;
  private final CardKeeping kept;
  private final PodGangs gangs;
  private final GangDomains domains;

  ReclaimReader(
      Fleet fleet,
      Holdings holdings,
      WaitingPods waiting,
      QueueAccounts queues,
      DemandReader reader,
      PodGroups groups,
      CardKeeping kept,
      GangDomains domains) {
    this.domains = domains;
    this.fleet = fleet;
    this.holdings = holdings;
    this.waiting = waiting;
    this.queues = queues;
    this.reader = reader;
    this.groups = groups;
    this.kept = kept;
    gangs = new PodGangs(holdings, waiting, queues);
  }

  /** As {@link Ledger#reclaimFacts}. */
  Optional<ReclaimFacts> read(ReclaimQuestion question) {
    waiting.beginRecordingAsks();
    var asks = new HashMap<String, ReclaimFacts.Ask>();
    question.suspended().forEach((key, pod) -> ask(pod).ifPresent(ask -> asks.put(key, ask)));
    var bookings =
        new BookingReader(
            reader,
            fleet.amounts(),
            queues.podQueues()::payerOf,
            waiting::nodesAskedFor,
            this::gangOf,
            question.now());
    var expected =
        bookings.expected(
            question.bookings(),
            holdings.all().map(Holding::pod),
            waiting.all().filter(pod -> !holdings.has(pod.uid())));
    var ofQueues = queues.balance();
    return ofQueues
        .or(() -> expected.isEmpty() ? Optional.empty() : Optional.of(withoutQueues()))
        .map(
            balance ->
                new ReclaimFacts(
                    withoutPlacesOfMoves(),
                    balance.tree(),
                    balance.capacity(),
                    balance.used(),
                    withExpected(balance, expected, ofQueues.isPresent()),
                    held(question.now()),
                    ofQueues.isPresent()
                        ? claimants(balance, question.noticed(), bookings.represented())
                        : List.of(),
                    expected,
                    asks));
  }

  /** No claim and no booking gets a card that is booked for the replacement of a pod that moves. */
  private ClusterSnapshot withoutPlacesOfMoves() {
    var booked = kept.placesOfMoves();
    var cluster = fleet.cluster();
    for (var node : booked.isEmpty() ? List.<GpuNode>of() : cluster.nodes().toList()) {
      var cards = node.spec().gpus();
      if (cards.stream().map(Gpu::uuid).anyMatch(booked::contains)) {
        var left =
            cards.stream()
                .map(
                    card ->
                        booked.contains(card.uuid())
                            ? card.withState(GpuHealth.State.CORDONED)
                            : card);
        cluster = cluster.withNode(node.withSpec(node.spec().withGpus(left.toList())));
      }
    }
    return cluster;
  }

  /** One queue that may have all that is free. */
  private QueueBalance withoutQueues() {
    var tree =
        QueueTree.ofEntries(
            List.of(new QueueEntry(PodFacts.DEFAULT_QUEUE, Optional.empty(), Quota.train(0, 1))));
    return QueueBalance.of(tree, fleet.amounts().byModel(), Map.of(), Map.of());
  }

  /** Pods that wait are in the demand of queues already; nothing is owed to an unknown queue. */
  private static Map<String, Long> withExpected(
      QueueBalance balance, List<Expectation> expected, boolean areThereQueues) {
    var all = new HashMap<>(balance.demand());
    expected.stream()
        .map(Expectation::claim)
        .filter(claim -> balance.tree().isLeaf(claim.queue()))
        .filter(claim -> claim.pods().isEmpty() || !areThereQueues)
        .forEach(claim -> all.merge(claim.queue(), claim.milli(), Long::sum));
    return all;
  }

  /** What was only offered to the scheduler is not held yet. */
  private List<ReclaimFacts.Held> held(Instant now) {
    return holdings
        .all()
        .filter(holding -> !holding.isAssumed())
        .flatMap(
            holding ->
                queues.chargeFor(holding.pod().uid()).stream().map(it -> held(holding, it, now)))
        .toList();
  }

  private ReclaimFacts.Held held(Holding holding, QueueAccounts.Charge charge, Instant now) {
    boolean isTakeable = holding.state() == State.SEEN && holding.placement().isPresent();
    var pod = holding.pod();
    return new ReclaimFacts.Held(
        pod,
        charge.queue(),
        charge.milli(),
        groups.gangOf(pod),
        isTakeable,
        pod.length().flatMap(it -> it.end(now)));
  }

  private List<Claimant> claimants(
      QueueBalance balance, Set<String> noticed, Set<String> represented) {
    var claims = new ArrayList<Claimant>();
    var known = new HashSet<String>();
    for (var pod : waiting.all().toList()) {
      var queue = queues.queueOf(pod);
      var group = groups.gangOf(pod);
      var key = key(pod, group);
      if (!represented.contains(pod.uid())
          && balance.tree().isLeaf(queue)
          && (noticed.contains(key) || mayClaim(pod, queue, balance))
          && known.add(key)) {
        var claim = group.isEmpty() ? alone(key, pod) : together(key, pod, group.get());
        claim.ifPresent(claims::add);
      }
    }
    return claims;
  }

  /**
   * Of the many that may wait, those are left out early whose queue has what it is owed. A claim
   * for which pods were taken stays one.
   */
  private boolean mayClaim(PodFacts pod, String queue, QueueBalance balance) {
    return waiting.isRefused(pod.uid()) && (kept.isFor(pod) || balance.isOwed(queue, milliOf(pod)));
  }

  private long milliOf(PodFacts pod) {
    return queues.leastOf(demandOf(pod));
  }

  private PodDemand demandOf(PodFacts pod) {
    return waiting.demandOf(pod.uid()).orElseGet(() -> reader.read(pod));
  }

  private static String key(PodFacts pod, Optional<Group> group) {
    return group.map(of -> pod.namespace() + "/" + of.name()).orElse(pod.uid());
  }

  private Optional<Claimant> alone(String key, PodFacts pod) {
    return holdings.has(pod.uid())
        ? Optional.empty()
        : claim(key, List.of(pod), 1, Optional.empty());
  }

  /** The claim of a pod's gang, if all of it is there. */
  private Optional<Claimant> gangOf(PodFacts pod) {
    return groups.gangOf(pod).flatMap(group -> together(key(pod, Optional.of(group)), pod, group));
  }

  /** Only gangs of one queue all of whose members are there. */
  private Optional<Claimant> together(String key, PodFacts pod, Group group) {
    var gang = gangs.of(pod, group);
    var queue = queues.queueOf(pod);
    boolean isOfOneQueue = gang.absent().stream().map(queues::queueOf).allMatch(queue::equals);
    return isOfOneQueue && gang.there() >= group.size() && group.size() > gang.placed()
        ? claim(
            key,
            gang.absent(),
            group.size() - gang.placed(),
            domains.target(gang, queues.modelsFor(pod)))
        : Optional.empty();
  }

  private Optional<Claimant> claim(
      String key, List<PodFacts> pods, long needed, Optional<Set<String>> within) {
    var asks =
        pods.stream()
            .flatMap(pod -> ask(pod).stream())
            .sorted(Comparator.comparingLong(ReclaimFacts.Ask::milli))
            .limit(needed)
            .toList();
    if (asks.isEmpty()) {
      return Optional.empty();
    }
    var first = pods.getFirst();
    return Optional.of(
        new Claimant(
            key,
            queues.queueOf(first),
            Set.copyOf(pods.stream().map(PodFacts::uid).toList()),
            asks.stream().map(ReclaimFacts.Ask::shape).toList(),
            asks.stream().mapToLong(ReclaimFacts.Ask::milli).sum(),
            nodes(pods, within),
            first.priority(),
            pods.stream().map(PodFacts::created).min(Comparator.naturalOrder()).orElseThrow()));
  }

  private Optional<ReclaimFacts.Ask> ask(PodFacts pod) {
    var demand = demandOf(pod);
    return demand instanceof PodDemand.Cards cards
        ? Optional.of(
            new ReclaimFacts.Ask(queues.queueOf(pod), cards.shape(), queues.leastOf(demand)))
        : Optional.empty();
  }

  /** The nodes that the scheduler considers for all pods about which it has asked. */
  private Optional<Set<String>> nodes(List<PodFacts> pods, Optional<Set<String>> within) {
    var asked = new ArrayList<Set<String>>();
    within.ifPresent(asked::add);
    pods.forEach(pod -> waiting.nodesAskedFor(pod.uid()).ifPresent(asked::add));
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    var first = asked.getFirst();
    return Optional.of(
        asked.stream().allMatch(each -> isSame(each, first)) ? first : common(asked));
  }

  /** Compares identity; equal sets are mostly one object. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Set<String> left, Set<String> right) {
    return left == right;
  }

  private static Set<String> common(List<Set<String>> sets) {
    var common = new HashSet<>(sets.getFirst());
    sets.forEach(common::retainAll);
    return common;
  }
}
