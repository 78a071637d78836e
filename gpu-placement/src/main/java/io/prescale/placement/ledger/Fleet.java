package io.prescale.placement.ledger;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.Families;
import io.prescale.placement.inventory.Family;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.NodeInventory;
import io.prescale.placement.overcommit.MemoryStacking;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes and what is placed on their cards. A card that two nodes register belongs to the first
 * of them; the other's is not used until the first has gone. Not thread-safe.
 */
final class Fleet {
  private final Map<String, NodeFacts> facts = new HashMap<>();
  private final Map<String, NodeInventory> inventories = new HashMap<>();
  private final CardOwners owners = new CardOwners();
  private final Map<String, String> koordinator = new HashMap<>();
  private Map<String, CardReading> conditions = Map.of();
  private Optional<MemoryStacking> stacking = Optional.empty();

  /** Only nodes with cards that are known one by one. */
  private ClusterSnapshot cluster = ClusterSnapshot.of(List.of());

  private @Nullable Map<String, Set<String>> models;
  private @Nullable CardAmounts amounts;

  ClusterSnapshot cluster() {
    return cluster;
  }

  Optional<NodeInventory> inventory(String node) {
    return Optional.ofNullable(inventories.get(node));
  }

  /** A node and one sentence for each of its devices that is left out. */
  Stream<Map.Entry<String, String>> problems() {
    return inventories.values().stream()
        .flatMap(
            inventory ->
                inventory.problems().stream()
                    .map(each -> Map.entry(inventory.spec().name(), each)));
  }

  /** Whether a card is sick by its exporter or its plugin, and not only because that is gone. */
  boolean isSick(String node, Gpu card) {
    var reading = conditions.get(card.uuid());
    return card.health().state() == State.UNHEALTHY
        && owners.of(card.uuid()).filter(node::equals).isPresent()
        && ((reading != null && reading.isSick())
            || NodeInventory.isServed(Objects.requireNonNull(facts.get(node)), card));
  }

  /** The models of a family's cards, including those that are only counted. */
  Set<String> models(Family family) {
    return models().getOrDefault(family.word(), Set.of());
  }

  /** The same by the families' words. */
  Map<String, Set<String>> models() {
    var known = models;
    if (known == null) {
      known = new HashMap<>();
      var nvidia = known.computeIfAbsent(Families.NVIDIA.word(), _ -> new HashSet<>());
      for (var inventory : inventories.values()) {
        for (var gpu : inventory.spec().gpus()) {
          known.computeIfAbsent(gpu.vendor(), _ -> new HashSet<>()).add(gpu.model());
        }
        inventory.model().ifPresent(nvidia::add);
      }
      models = known;
    }
    return known;
  }

  /**
   * The nodes of the cards that are given out or held, by UUID. Cards of a device plugin that is
   * gone are not among them, since another scheduler may give them out now.
   */
  Map<String, String> nodesOfCards() {
    var nodes = new HashMap<String, String>();
    cluster
        .nodes()
        .forEach(
            node -> {
              for (int card = 0; card < node.cards(); card++) {
                var gpu = node.gpu(card);
                if (gpu.health().state() != State.UNHEALTHY || !node.isIdle(card)) {
                  nodes.put(gpu.uuid(), node.name());
                }
              }
            });
    return nodes;
  }

  /** The nodes of some cards. */
  Stream<String> nodesOf(Set<String> uuids) {
    return uuids.stream().flatMap(uuid -> owners.of(uuid).stream());
  }

  /** What the cards amount to. */
  CardAmounts amounts() {
    var known = amounts;
    if (known == null) {
      known = CardAmounts.of(inventories.values());
      amounts = known;
    }
    return known;
  }

  /**
   * What a placement takes, in thousandths of a card. The cards are those of the inventory, which
   * is known before its node is among the cluster's.
   */
  long milliOf(Placement placement) {
    var cards = inventory(placement.node()).map(it -> it.spec().gpus()).orElse(List.of());
    return placement.shares().stream()
        .mapToLong(
            share ->
                share.card() < cards.size()
                    ? cards.get(share.card()).milliOf(share)
                    : Gpu.WHOLE_MILLI)
        .sum();
  }

  private void forget() {
    models = null;
    amounts = null;
  }

  /** The names of all nodes. */
  List<String> names() {
    return List.copyOf(facts.keySet());
  }

  /**
   * Records the newest state of a node.
   *
   * @param placements what is placed on it, given its cards
   * @return the nodes whose cards have changed
   */
  Set<String> put(NodeFacts node, Function<NodeSpec, List<Placement>> placements) {
    if (node.equals(facts.put(node.name(), node))) {
      return Set.of();
    }
    var freed = owners.release(node.name());
    read(node, placements);
    var changed = wake(freed, node.name(), placements);
    changed.add(node.name());
    return changed;
  }

  /**
   * Removes a node.
   *
   * @return the nodes whose cards have changed because a rival is gone
   */
  Set<String> remove(String node, Function<NodeSpec, List<Placement>> placements) {
    facts.remove(node);
    inventories.remove(node);
    forget();
    var freed = owners.release(node);
    cluster = cluster.withoutNode(node);
    return wake(freed, node, placements);
  }

  /**
   * Replaces the rule by which cards promise more memory than they have.
   *
   * @return the nodes with a card that now promises more
   */
  Set<String> stack(MemoryStacking now) {
    stacking = Optional.of(now);
    var changed = new HashSet<String>();
    for (var node : cluster.nodes().toList()) {
      put(node);
      if (cluster.find(node.name()).orElseThrow().promisesMoreThan(node)) {
        changed.add(node.name());
      }
    }
    return changed;
  }

  private void put(GpuNode node) {
    cluster = cluster.withNode(stacking.map(it -> it.applyTo(node)).orElse(node));
  }

  /** By what cards promise more memory than they have; empty if they do not. */
  Optional<MemoryStacking> stacking() {
    return stacking;
  }

  void place(Placement placement) {
    put(cluster.find(placement.node()).orElseThrow().with(placement));
  }

  void take(Placement placement) {
    var node = cluster.find(placement.node());
    if (node.isPresent() && node.get().placementOf(placement.request().name()).isPresent()) {
      put(node.get().without(placement.request().name()));
    }
  }

  private void read(NodeFacts node, Function<NodeSpec, List<Placement>> placements) {
    var inventory =
        claim(NodeInventory.read(node, Optional.ofNullable(koordinator.get(node.name()))));
    inventories.put(node.name(), inventory);
    forget();
    if (inventory.spec().gpus().isEmpty()) {
      cluster = cluster.withoutNode(node.name());
      return;
    }
    var gpuNode = GpuNode.of(inventory.spec());
    for (var placement : placements.apply(inventory.spec())) {
      gpuNode = gpuNode.with(placement);
    }
    put(gpuNode);
  }

  /** Marks the cards that belong to another node. */
  private NodeInventory claim(NodeInventory inventory) {
    var name = inventory.spec().name();
    var problems = new ArrayList<>(inventory.problems());
    var gpus = new ArrayList<Gpu>();
    for (var gpu : inventory.spec().gpus()) {
      var owner = owners.claim(gpu.uuid(), name);
      if (owner.equals(name)) {
        gpus.add(CardCondition.conditioned(gpu, conditions, problems));
      } else {
        gpus.add(gpu.withState(State.UNHEALTHY));
        problems.add("card %s is not used: node %s registers it too.".formatted(gpu.uuid(), owner));
      }
    }
    return inventory.with(gpus, problems);
  }

  /**
   * Records the specification of a node's Device of Koordinator; empty when it is gone.
   *
   * @return the nodes whose cards have changed
   */
  Set<String> koordinator(
      String node, Optional<String> spec, Function<NodeSpec, List<Placement>> placements) {
    var before = Optional.ofNullable(koordinator.get(node));
    spec.ifPresentOrElse(text -> koordinator.put(node, text), () -> koordinator.remove(node));
    var known = facts.get(node);
    if (known == null || before.equals(spec)) {
      return Set.of();
    }
    facts.remove(node);
    return put(known, placements);
  }

  /**
   * Replaces the condition of all cards, and reads the nodes of those that change again.
   *
   * @param now coarse, by UUID
   * @return the nodes of those cards
   */
  Set<String> conditions(
      Map<String, CardReading> now, Function<NodeSpec, List<Placement>> placements) {
    var changed = CardCondition.changed(conditions, now);
    conditions = Map.copyOf(now);
    var nodes = new HashSet<String>();
    changed.forEach(uuid -> owners.of(uuid).ifPresent(nodes::add));
    nodes.retainAll(facts.keySet());
    nodes.forEach(node -> read(Objects.requireNonNull(facts.get(node)), placements));
    return nodes;
  }

  private Set<String> wake(
      Set<String> freed, String except, Function<NodeSpec, List<Placement>> placements) {
    var waiting = owners.waitingFor(freed);
    waiting.remove(except);
    waiting.retainAll(facts.keySet());
    for (var name : waiting) {
      read(Objects.requireNonNull(facts.get(name)), placements);
    }
    return waiting;
  }
}
