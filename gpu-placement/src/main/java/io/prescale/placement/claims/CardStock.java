package io.prescale.placement.claims;

import io.prescale.placement.claims.Device.Address;
import io.prescale.placement.claims.Seats.Seat;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.NodePosition;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.ledger.CardCondition;
import io.prescale.placement.topology.LinkMatrix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cards of all nodes to which claims can be pinned, and what claims hold of them. A UUID that
 * two nodes list identifies no card, so neither is used. Not thread-safe.
 */
final class CardStock {
  private final Pools pools = new Pools();
  private final Map<String, Readiness> readiness = new HashMap<>();
  private final Seats seats = new Seats();

  /** Nodes by UUID, and UUIDs by node. */
  private final Map<String, Set<String>> listing = new HashMap<>();

  private final Map<String, Set<String>> listed = new HashMap<>();
  private final Map<String, List<String>> problems = new TreeMap<>();
  private final Map<Claim.Key, Placement> placed = new HashMap<>();
  private Map<String, CardReading> conditions = Map.of();
  private Map<String, String> registered = Map.of();
  private final Map<String, Taint.Rule> rules = new TreeMap<>();
  private ClusterSnapshot cluster = ClusterSnapshot.of(List.of());

  ClusterSnapshot cluster() {
    return cluster;
  }

  /** A state of the cluster for a claim with tolerations. O(cards) if there are any. */
  ClusterSnapshot tolerant(ClusterSnapshot state, List<Taint.Toleration> tolerations) {
    var tolerant = state;
    for (var seat : tolerations.isEmpty() ? List.<Seat>of() : seats.all()) {
      if (seat.card().isTolerated(tolerations)) {
        var node = tolerant.find(seat.node()).orElseThrow();
        var gpus = new ArrayList<>(node.spec().gpus());
        var card = conditioned(seat.card().withoutTaints(), new ArrayList<>());
        gpus.set(seat.index(), card.gpu());
        tolerant = tolerant.withNode(node.withSpec(node.spec().withGpus(gpus)));
      }
    }
    return tolerant;
  }

  List<Card> cards() {
    return seats.all().stream().map(Seat::card).toList();
  }

  /** How many claims hold cards. */
  int claims() {
    return placed.size();
  }

  Map<String, List<String>> problems() {
    return problems;
  }

  /** The claims that hold cards of some nodes. */
  Set<Claim.Key> on(Set<String> nodes) {
    var keys = new HashSet<>(placed.keySet());
    keys.removeIf(key -> !nodes.contains(Objects.requireNonNull(placed.get(key)).node()));
    return keys;
  }

  /** Records a slice; returns the nodes that have to be read again. */
  Set<String> put(String object, Slice slice) {
    return pools.put(object, slice);
  }

  /** Removes a slice; returns the nodes that have to be read again. */
  Set<String> remove(String object) {
    return pools.remove(object);
  }

  /** Whether a node is already known in this state. */
  boolean isKnown(String node, Optional<Readiness> state) {
    return Optional.ofNullable(readiness.get(node)).equals(state);
  }

  void node(String node, Optional<Readiness> state) {
    state.ifPresentOrElse(known -> readiness.put(node, known), () -> readiness.remove(node));
  }

  /** Records or removes a rule; returns the nodes that have to be read again. */
  Set<String> rule(String name, Optional<Taint.Rule> rule) {
    var before = rule.isPresent() ? rules.put(name, rule.get()) : rules.remove(name);
    return rule.equals(Optional.ofNullable(before)) ? Set.of() : Set.copyOf(readiness.keySet());
  }

  private Device ruled(Address address, Device device) {
    var taints = new ArrayList<>(device.taints());
    rules.values().stream()
        .filter(rule -> rule.isOf(address))
        .map(Taint.Rule::taint)
        .forEach(taints::add);
    return device.withTaints(taints);
  }

  /** Replaces the conditions of all cards; returns the nodes that have to be read again. */
  Set<String> conditions(Map<String, CardReading> now) {
    var changed = CardCondition.changed(conditions, now);
    conditions = Map.copyOf(now);
    return listing(changed);
  }

  /**
   * Replaces the cards that device plugins register, which are decided elsewhere; returns the nodes
   * that have to be read again.
   *
   * @param now their nodes by UUID
   */
  Set<String> registered(Map<String, String> now) {
    var changed = new HashSet<>(now.keySet());
    changed.addAll(registered.keySet());
    var before = registered;
    changed.removeIf(uuid -> Objects.equals(before.get(uuid), now.get(uuid)));
    registered = Map.copyOf(now);
    return listing(changed);
  }

  private Set<String> listing(Set<String> uuids) {
    var nodes = new HashSet<String>();
    uuids.forEach(uuid -> nodes.addAll(listing.getOrDefault(uuid, Set.of())));
    return nodes;
  }

  /** Records which UUIDs nodes list now; returns all nodes whose cards may change by it. */
  Set<String> list(Set<String> nodes) {
    var touched = new HashSet<>(nodes);
    for (var node : nodes) {
      touched.addAll(rivals(node));
      listed
          .getOrDefault(node, Set.of())
          .forEach(
              uuid ->
                  listing.computeIfPresent(
                      uuid, (_, names) -> names.remove(node) && names.isEmpty() ? null : names));
      var now = uuids(node);
      listed.put(node, now);
      now.forEach(uuid -> listing.computeIfAbsent(uuid, _ -> new TreeSet<>()).add(node));
      touched.addAll(rivals(node));
    }
    return touched;
  }

  private Set<String> rivals(String node) {
    var rivals = new HashSet<String>();
    for (var uuid : listed.getOrDefault(node, Set.of())) {
      var names = listing.getOrDefault(uuid, Set.of());
      if (names.size() > 1) {
        rivals.addAll(names);
      }
    }
    return rivals;
  }

  private Set<String> uuids(String node) {
    var uuids = new HashSet<String>();
    pools
        .on(node)
        .devices()
        .forEach(
            (address, device) -> {
              if (Card.problem(address, device).isEmpty()) {
                uuids.add(Card.of(address, device).gpu().uuid());
              }
            });
    return uuids;
  }

  /** Reads the cards of a node again; nothing may be placed on it. */
  void build(String node) {
    var sentences = new ArrayList<String>();
    var known = readiness.containsKey(node) ? read(node, sentences) : List.<Card>of();
    seats.replace(node, known);
    if (sentences.isEmpty()) {
      problems.remove(node);
    } else {
      problems.put(node, List.copyOf(sentences));
    }
    if (known.isEmpty()) {
      cluster = cluster.withoutNode(node);
    } else {
      cluster = cluster.withNode(GpuNode.of(spec(node, known)));
    }
  }

  private List<Card> read(String node, List<String> sentences) {
    var found = pools.on(node);
    sentences.addAll(found.problems());
    var known = new ArrayList<Card>();
    for (var entry : found.devices().entrySet()) {
      var device = ruled(entry.getKey(), entry.getValue());
      problem(node, entry.getKey(), device, known)
          .ifPresentOrElse(
              sentences::add,
              () -> known.add(conditioned(Card.of(entry.getKey(), device), sentences)));
    }
    return known;
  }

  private Card conditioned(Card card, List<String> sentences) {
    var gpu = CardCondition.conditioned(card.gpu(), conditions, sentences);
    return new Card(card.address(), card.device(), gpu);
  }

  private Optional<String> problem(String node, Address address, Device device, List<Card> before) {
    var problem = Card.problem(address, device);
    if (problem.isPresent()) {
      return problem;
    }
    var uuid = Card.of(address, device).gpu().uuid();
    var elsewhere = registered.get(uuid);
    if (elsewhere != null) {
      return Optional.of(
          "device %s is not used: the device plugin of node %s registers its UUID %s."
              .formatted(address, elsewhere, uuid));
    }
    var nodes = listing.getOrDefault(uuid, Set.of(node));
    if (nodes.size() > 1) {
      return Optional.of(
          "device %s is not used: nodes %s have its UUID %s."
              .formatted(address, String.join(" and ", nodes), uuid));
    }
    if (before.stream().anyMatch(card -> card.gpu().uuid().equals(uuid))) {
      return Optional.of(
          "device %s is left out: another one has its UUID %s.".formatted(address, uuid));
    }
    return before.size() < NodeSpec.MAX_GPUS
        ? Optional.empty()
        : Optional.of(
            "device %s is left out: a node has at most %d cards."
                .formatted(address, NodeSpec.MAX_GPUS));
  }

  private NodeSpec spec(String node, List<Card> known) {
    return new NodeSpec(
        node,
        0,
        0,
        known.stream().map(Card::gpu).toList(),
        links(known),
        Optional.empty(),
        NodePosition.UNKNOWN,
        Set.of(),
        readiness.getOrDefault(node, Readiness.NOT_READY));
  }

  /** Cards of one PCIe root have one host bridge; more is not known of any. */
  private static Optional<LinkMatrix> links(List<Card> cards) {
    var roots = cards.stream().map(Card::pcieRoot).toList();
    return roots.stream().allMatch(Optional::isEmpty)
        ? Optional.empty()
        : Optional.of(LinkMatrix.ofPcieRoots(roots));
  }

  /** What a claim holds of known cards, or is pinned to. */
  Optional<Placement> placement(Claim claim) {
    return seats.placement(claim);
  }

  void place(Claim.Key claim, Placement placement) {
    take(claim);
    cluster = cluster.with(placement);
    placed.put(claim, placement);
  }

  /** The same shares of the same cards after their node was read again; empty if one is gone. */
  Optional<Placement> again(Placement before) {
    return seats.again(before);
  }

  /** Releases what a claim holds. */
  Optional<Placement> take(Claim.Key claim) {
    var placement = Optional.ofNullable(placed.remove(claim));
    placement.ifPresent(it -> cluster = cluster.without(it));
    return placement;
  }
}
