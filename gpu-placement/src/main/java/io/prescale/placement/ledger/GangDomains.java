package io.prescale.placement.ledger;

import io.prescale.placement.cluster.NetworkLevels;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.NodeInventory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Knows in which parts of the network a gang may be placed. Not thread-safe. */
final class GangDomains {
  private static final long MILLI = 1000;

  private final Fleet fleet;
  private final Holdings holdings;
  private NetworkLevels levels;

  GangDomains(Fleet fleet, Holdings holdings, NetworkLevels levels) {
    this.fleet = fleet;
    this.holdings = holdings;
    this.levels = levels;
  }

  NetworkLevels levels() {
    return levels;
  }

  void levels(NetworkLevels now) {
    levels = now;
  }

  /** The nodes of one domain. */
  record Domain(NetworkScope scope, String name, List<String> nodes) {}

  /** Where a gang may be placed. */
  sealed interface Permitted {}

  /**
   * Within one of these domains, those first that are tried first.
   *
   * @param required the scope beyond which it may not be; the cluster if it may be anywhere
   * @param isPinned whether members that hold something leave no choice of the domain
   * @param isNear whether members are placed near each other in any domain
   */
  record Domains(List<Domain> inOrder, NetworkScope required, boolean isPinned, boolean isNear)
      implements Permitted {

    /** Whether the next domain, if there is one, is of a wider scope. */
    boolean isLastOfItsScope(int place) {
      return place + 1 == inOrder.size()
          || !inOrder.get(place + 1).scope().equals(inOrder.get(place).scope());
    }
  }

  /** Nowhere, because no node is known to be in such a domain. */
  record Nowhere(String sentence) implements Permitted {}

  /** Where a gang may be placed, given the nodes that the scheduler considers. */
  Permitted permitted(PodGang gang, List<String> nodes) {
    var nearness = gang.nearness();
    var asked = nearness.required().flatMap(this::scope);
    if (nearness.required().isPresent() && asked.isEmpty() && !nearness.isForeign()) {
      return new Nowhere(
          "group %s has to be within one %s, which is not a level of the network here; %s"
              .formatted(gang.group().name(), nearness.required().get(), levelsOfNodes()));
    }
    var required = asked.orElse(NetworkScope.CLUSTER);
    var preferred =
        nearness
            .preferred()
            .flatMap(this::scope)
            .filter(scope -> scope.compareTo(required) < 0)
            .orElse(required);
    var bound = gang.held().stream().flatMap(it -> spec(it.node()).stream()).toList();
    var pin = asked.isEmpty() ? "" : most(bound, required);
    var within =
        nodes.stream().filter(node -> pin.isEmpty() || pin.equals(domainOf(node, required)));
    var inOrder = domains(within.toList(), preferred, required, bound);
    if (inOrder.isEmpty() && !nodes.isEmpty()) {
      return new Nowhere(nowhere(gang, required, pin));
    }
    boolean isNear = !preferred.equals(NetworkScope.CLUSTER);
    return new Domains(inOrder, required, !pin.isEmpty(), isNear);
  }

  /** The first of the domains of a gang that a node is in. */
  Optional<Domain> around(String node, Domains permitted) {
    return permitted.inOrder().stream()
        .filter(it -> it.name().equals(domainOf(node, it.scope())))
        .findFirst();
  }

  private String nowhere(PodGang gang, NetworkScope required, String pin) {
    return pin.isEmpty()
        ? "group %s has to be within one %s, and no node that it may use has this label; %s"
            .formatted(gang.group().name(), required.name(), levelsOfNodes())
        : "group %s has to be within one %s, and its other pods are in %s, of which it may use no node"
            .formatted(gang.group().name(), required.name(), pin);
  }

  /**
   * The nodes of the one domain in which room is made for a gang that has to be within one: that of
   * its other pods, else that with the most cards. Empty if it may be anywhere.
   *
   * @param models of which its pods may have cards; empty for any
   */
  Optional<Set<String>> target(PodGang gang, Optional<Set<String>> models) {
    return permitted(gang, fleet.names()) instanceof Domains domains
            && !domains.required().equals(NetworkScope.CLUSTER)
        ? domains.inOrder().stream()
            .filter(domain -> domain.scope().equals(domains.required()))
            .max(
                Comparator.<Domain>comparingLong(domain -> sum(domain, node -> cards(node, models)))
                    .thenComparing(Domain::name))
            .map(domain -> Set.copyOf(domain.nodes()))
        : Optional.empty();
  }

  private Optional<NetworkScope> scope(String label) {
    return label.equals(NetworkLabels.HOSTNAME)
        ? Optional.of(NetworkScope.NODE)
        : levels.scope(label);
  }

  private Optional<NodeSpec> spec(String node) {
    return fleet.inventory(node).map(NodeInventory::spec);
  }

  private String domainOf(String node, NetworkScope scope) {
    return spec(node).map(scope::domainOf).orElse("");
  }

  /** The domain in which most of some nodes are; empty when none is known. */
  private static String most(List<NodeSpec> nodes, NetworkScope scope) {
    return counts(nodes, scope).entrySet().stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  private static Map<String, Long> counts(List<NodeSpec> nodes, NetworkScope scope) {
    return nodes.stream()
        .map(scope::domainOf)
        .filter(domain -> !domain.isEmpty())
        .collect(Collectors.groupingBy(domain -> domain, Collectors.counting()));
  }

  /** From the preferred scope outwards; in each, those with members first, then the fullest. */
  private List<Domain> domains(
      List<String> nodes, NetworkScope preferred, NetworkScope required, List<NodeSpec> bound) {
    var idle = new HashMap<String, Long>();
    var all = new ArrayList<Domain>();
    for (var scope : levels.scopes()) {
      if (scope.compareTo(preferred) < 0 || scope.compareTo(required) > 0) {
        continue;
      }
      if (scope.equals(NetworkScope.CLUSTER)) {
        all.add(new Domain(scope, scope.name(), nodes));
        continue;
      }
      var members = counts(bound, scope);
      domains(nodes, scope)
          .sorted(
              Comparator.<Domain>comparingLong(it -> -members.getOrDefault(it.name(), 0L))
                  .thenComparingLong(
                      it -> sum(it, node -> idle.computeIfAbsent(node, this::idleMilli)))
                  .thenComparing(Domain::name))
          .forEach(all::add);
    }
    return all;
  }

  private Stream<Domain> domains(List<String> nodes, NetworkScope scope) {
    var byName = new LinkedHashMap<String, List<String>>();
    for (var node : nodes) {
      var name = domainOf(node, scope);
      if (!name.isEmpty()) {
        byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(node);
      }
    }
    return byName.entrySet().stream()
        .map(entry -> new Domain(scope, entry.getKey(), entry.getValue()));
  }

  private static long sum(Domain domain, ToLongFunction<String> amount) {
    return domain.nodes().stream().mapToLong(amount).sum();
  }

  private long idleMilli(String node) {
    long idle = fleet.cluster().find(node).map(it -> it.freeMilli()).orElse(0L);
    for (var unit : fleet.inventory(node).map(NodeInventory::counted).orElse(Map.of()).entrySet()) {
      idle += MILLI * Math.max(0, unit.getValue() - holdings.used(node, unit.getKey()));
    }
    return idle;
  }

  private long cards(String node, Optional<Set<String>> models) {
    return fleet
        .inventory(node)
        .map(
            it ->
                it.spec().gpus().stream().filter(gpu -> isOf(models, gpu.model())).count()
                    + (isOf(models, CardAmounts.modelOfCounted(it))
                        ? it.counted().values().stream().mapToLong(Long::longValue).sum()
                        : 0))
        .orElse(0L);
  }

  private static boolean isOf(Optional<Set<String>> models, String model) {
    return models.filter(it -> !it.contains(model)).isEmpty();
  }

  /** The levels at which a node is known to be somewhere, from the largest, in a sentence. */
  private String levelsOfNodes() {
    var specs = fleet.names().stream().flatMap(node -> spec(node).stream()).toList();
    var known = new ArrayList<String>();
    for (var scope : levels.scopes().reversed()) {
      if (levels.names().contains(scope.name())
          && specs.stream().anyMatch(spec -> !scope.domainOf(spec).isEmpty())) {
        known.add(scope.name());
      }
    }
    known.add(NetworkLabels.HOSTNAME);
    return "nodes have " + String.join(", ", known);
  }

  /** How far nodes are from what members of a gang have so far. */
  Neighbours neighbours(PodGang gang, NetworkScope within) {
    var neighbours =
        new Neighbours(
            levels.scopes().stream().filter(scope -> scope.compareTo(within) < 0).toList());
    gang.held().forEach(holding -> neighbours.add(holding.node()));
    return neighbours;
  }

  /** The domains in which members of a gang are, by scope. */
  final class Neighbours {
    private final List<NetworkScope> scopes;
    private final List<Set<String>> taken = new ArrayList<>();

    private Neighbours(List<NetworkScope> scopes) {
      this.scopes = scopes;
      scopes.forEach(_ -> taken.add(new HashSet<>()));
    }

    /** Adds the node of a member; returns whether other nodes are nearer now. */
    boolean add(String node) {
      boolean areOthersNearer = false;
      for (int place = 0; place < scopes.size(); place++) {
        var scope = scopes.get(place);
        boolean isNew = taken.get(place).add(domainOf(node, scope));
        areOthersNearer |= isNew && !scope.equals(NetworkScope.NODE);
      }
      return areOthersNearer;
    }

    /** The narrowest scope that a node shares with a member, by its place among all. */
    long distance(String node) {
      var spec = spec(node);
      for (int place = 0; place < scopes.size() && spec.isPresent(); place++) {
        var domain = scopes.get(place).domainOf(spec.get());
        if (!domain.isEmpty() && taken.get(place).contains(domain)) {
          return place;
        }
      }
      return scopes.size();
    }
  }
}
