package io.prescale.placement.ledger;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.HamiAnnotations;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.inventory.PodUsage;
import io.prescale.placement.ledger.Holding.State;
import io.prescale.placement.overcommit.MemoryStacking;
import io.prescale.placement.overcommit.ObservedMemory;
import io.prescale.placement.overcommit.OvercommitRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Stream;

/** What pods hold, by pod and by node; what is on cards is placed in the fleet. Not thread-safe. */
final class Holdings {
  private final Fleet fleet;
  private final QueueAccounts queues;
  private final Map<String, Holding> holdings = new HashMap<>();
  private final Map<String, Set<String>> podsOf = new HashMap<>();

  private final Set<String> assumed = new HashSet<>();
  private final Set<String> leaving = new HashSet<>();

  /** Those that expire, the earliest first; some of them have ended already. */
  private final PriorityQueue<Holding> ends =
      new PriorityQueue<>(Comparator.comparing(Holding::until));

  Holdings(Fleet fleet, QueueAccounts queues) {
    this.fleet = fleet;
    this.queues = queues;
  }

  Optional<Holding> of(String uid) {
    return Optional.ofNullable(holdings.get(uid));
  }

  boolean has(String uid) {
    return holdings.containsKey(uid);
  }

  Stream<Holding> all() {
    return holdings.values().stream();
  }

  /** The holdings on a node. */
  Stream<Holding> on(String node) {
    return podsOf.getOrDefault(node, Set.of()).stream()
        .map(uid -> Objects.requireNonNull(holdings.get(uid)));
  }

  /** What could not be counted of pods' records, a sentence each by node, after what else is so. */
  Map<String, List<String>> problems(Stream<Map.Entry<String, String>> others) {
    var own =
        holdings.values().stream()
            .flatMap(
                holding -> holding.problems().stream().map(each -> Map.entry(holding.node(), each)))
            .sorted(Map.Entry.comparingByValue());
    return Stream.concat(others, own)
        .collect(groupingBy(Map.Entry::getKey, mapping(Map.Entry::getValue, toList())));
  }

  /** As {@link Ledger#othersUnstarted}. */
  List<PodFacts> othersUnstarted(String node, String uid) {
    return on(node)
        .filter(
            other ->
                !other.pod().uid().equals(uid)
                    && !other.isAssumed()
                    && other.pod().phase() == Phase.PENDING
                    && (other.placement().isPresent() || HamiAnnotations.isAllocating(other.pod())))
        .map(Holding::pod)
        .toList();
  }

  /** As {@link Ledger#podOn}. */
  Optional<PodFacts> podOn(String node, String namespace, String name) {
    return on(node)
        .filter(holding -> !holding.isAssumed())
        .map(Holding::pod)
        .filter(pod -> pod.namespace().equals(namespace) && pod.name().equals(name))
        .findFirst();
  }

  /** The holdings that were only offered to the scheduler. */
  List<Holding> assumed() {
    return assumed.stream().map(uid -> Objects.requireNonNull(holdings.get(uid))).toList();
  }

  /** UIDs of the pods that are being deleted. */
  Set<String> leaving() {
    return Collections.unmodifiableSet(leaving);
  }

  /** A holding that has expired, if there is one. */
  Optional<Holding> expired(Instant now) {
    for (var first = ends.peek(); first != null; first = ends.peek()) {
      if (isCurrent(first)) {
        return Optional.of(first).filter(holding -> holding.until().isBefore(now));
      }
      ends.remove();
    }
    return Optional.empty();
  }

  /** Compares identity, since a later holding may be equal. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isCurrent(Holding holding) {
    return holdings.get(holding.pod().uid()) == holding;
  }

  int size() {
    return holdings.size();
  }

  /** How many devices of a counted resource pods hold on a node. */
  long used(String node, String resource) {
    long used = 0;
    for (var uid : podsOf.getOrDefault(node, Set.of())) {
      var units = Objects.requireNonNull(holdings.get(uid)).units();
      used = DemandReader.capped(used, units.getOrDefault(resource, 0L));
    }
    return used;
  }

  /** Whether the node of a place that was found earlier still has cards, if it is on cards. */
  boolean isStillThere(Holding found) {
    return found.placement().isEmpty() || fleet.cluster().find(found.node()).isPresent();
  }

  /** Replaces what a pod holds; returns what it held before. */
  Optional<Holding> hold(Holding holding) {
    var before = release(holding.pod().uid());
    put(holding);
    holding.placement().ifPresent(fleet::place);
    return before;
  }

  private void put(Holding holding) {
    var uid = holding.pod().uid();
    holdings.put(uid, holding);
    queues.hold(holding);
    podsOf.computeIfAbsent(holding.node(), _ -> new HashSet<>()).add(uid);
    if (holding.isAssumed()) {
      assumed.add(uid);
    }
    if (holding.pod().isLeaving()) {
      leaving.add(uid);
    }
    if (holding.state() != State.SEEN) {
      ends.add(holding);
    }
  }

  /** Releases what a pod holds. */
  Optional<Holding> release(String uid) {
    var holding = forget(uid);
    holding.flatMap(Holding::placement).ifPresent(fleet::take);
    return holding;
  }

  /** As {@link Ledger#memory}; returns the nodes with a card that now promises more. */
  Set<String> memory(OvercommitRule rule, ObservedMemory observed) {
    return fleet.stack(new MemoryStacking(rule, new UsageOfHolders(observed, this)));
  }

  private Optional<Holding> forget(String uid) {
    assumed.remove(uid);
    leaving.remove(uid);
    queues.release(uid);
    var holding = Optional.ofNullable(holdings.remove(uid));
    holding.ifPresent(
        known ->
            podsOf.computeIfPresent(
                known.node(),
                (_, pods) -> {
                  pods.remove(uid);
                  return pods.isEmpty() ? null : pods;
                }));
    return holding;
  }

  /**
   * Records what a pod holds that was observed on its node; returns another node on which it held
   * something, as when it was bound to its node by another scheduler.
   */
  Optional<String> observe(PodFacts pod, String node) {
    var known = holdings.get(pod.uid());
    return known == null || known.state() != State.SEEN || !known.pod().equals(pod)
        ? hold(seen(pod, node)).map(Holding::node).filter(before -> !before.equals(node))
        : Optional.empty();
  }

  /** What a bound pod holds of its node. */
  private Holding seen(PodFacts pod, String node) {
    return seen(pod, node, fleet.inventory(node).map(inventory -> inventory.spec()));
  }

  private static Holding seen(PodFacts pod, String node, Optional<NodeSpec> spec) {
    var usage = spec.map(s -> PodUsage.read(pod, s));
    return new Holding(
        pod,
        node,
        usage.flatMap(PodUsage::placement),
        usage.map(PodUsage::units).orElse(Map.of()),
        State.SEEN,
        Ranked.NONE,
        Instant.MAX,
        usage.map(PodUsage::problems).orElse(List.of()));
  }

  /**
   * What is on the cards of a node as they are now. What no longer fits them is dropped, and so is
   * what was only offered of a card that may no longer be used.
   */
  List<Placement> placements(NodeSpec spec) {
    var placements = new ArrayList<Placement>();
    for (var holding : on(spec.name()).toList()) {
      forget(holding.pod().uid());
      var now =
          holding.state() == State.SEEN
              ? seen(holding.pod(), spec.name(), Optional.of(spec))
              : holding;
      if (holding.state() == State.SEEN || isPossible(spec, holding)) {
        put(now);
        now.placement().ifPresent(placements::add);
      }
    }
    return placements;
  }

  private static boolean isPossible(NodeSpec spec, Holding holding) {
    return holding.placement().stream()
        .flatMap(placement -> placement.shares().stream())
        .allMatch(
            share ->
                share.card() < spec.gpus().size()
                    && spec.gpus().get(share.card()).uuid().equals(share.uuid())
                    && (holding.state() == State.BINDING
                        || spec.gpus().get(share.card()).health().state()
                            == GpuHealth.State.USABLE));
  }
}
