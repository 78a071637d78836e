package io.prescale.placement.ledger;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.decision.Shortlist;
import io.prescale.placement.filter.Reason;
import io.prescale.placement.inventory.NodeInventory;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/**
 * Chooses nodes for pods. Nodes on which the kubelet chooses the cards come first for pods to which
 * all cards are alike, so cards that can be shared are left for shares. Not thread-safe.
 */
final class NodeChoice {
  private static final Set<Reason> HOPELESS =
      EnumSet.of(Reason.GPU_COUNT, Reason.GPU_KIND, Reason.GPU_PARTITIONING);

  private final Fleet fleet;
  private final CardKeeping kept;
  private final int shortlisted;
  private final int most;
  private final Placer placer;

  /**
   * A choice that lists as many nodes as are on a shortlist.
   *
   * @param shortlisted how many these are at most
   */
  NodeChoice(Fleet fleet, CardKeeping kept, int shortlisted) {
    this(fleet, kept, shortlisted, shortlisted, UsualWorkload.placer());
  }

  private NodeChoice(Fleet fleet, CardKeeping kept, int shortlisted, int most, Placer placer) {
    if (shortlisted < 1) {
      throw new IllegalArgumentException("at least one candidate is offered, not " + shortlisted);
    }
    this.fleet = fleet;
    this.kept = kept;
    this.shortlisted = shortlisted;
    this.most = most;
    this.placer = placer;
  }

  /** The same choice, which lists another number of nodes at most. */
  NodeChoice listing(int newMost) {
    return new NodeChoice(fleet, kept, shortlisted, newMost, placer);
  }

  /** A place on a node: chosen cards, or a number of devices. */
  record Place(String node, Optional<Placement> placement, Map<String, Long> units) {}

  /** The candidates, and the best place with its cards. */
  record Found(Candidates candidates, Optional<Place> best, Ranked ranked) {
    static Found noPlace(Candidates candidates) {
      return new Found(candidates, Optional.empty(), Ranked.NONE);
    }
  }

  /**
   * Finds where a pod could go.
   *
   * @param used how many devices of a resource are held on a node
   */
  Found among(
      PodFacts pod,
      PodDemand demand,
      List<String> nodes,
      ToLongBiFunction<String, String> used,
      ToLongFunction<String> crowd) {
    return switch (demand) {
      case PodDemand.None _ -> Found.noPlace(new Candidates.Anywhere());
      case PodDemand.Refused refused ->
          Found.noPlace(Candidates.Nowhere.everywhere(nodes, refused.sentence(), true));
      case PodDemand.Counted counted -> {
        var places = countedPlaces(counted.units(), pod.image(), nodes, used);
        yield places.isEmpty() ? lacksUnits(nodes, counted.units()) : found(places);
      }
      case PodDemand.Cards cards -> {
        var place = cards.among(kept.placeOf(pod));
        var found = cards(pod, place, nodes, used, crowd);
        yield found.best().isPresent() || place.equals(cards)
            ? found
            : cards(pod, cards, nodes, used, crowd);
      }
    };
  }

  /** Whether cards are kept for a pod, or room was made for it. */
  boolean keepsCardsFor(PodFacts pod) {
    return kept.isFor(pod) || pod.nominated().isPresent();
  }

  private Found found(List<Place> places) {
    var best = places.stream().limit(most).map(Place::node).toList();
    var ranked = new Ranked(best.stream().limit(shortlisted).toList(), places.size() < most);
    return new Found(new Candidates.Nodes(best), Optional.of(places.getFirst()), ranked);
  }

  private List<Place> countedPlaces(
      Map<String, Long> units,
      String image,
      List<String> nodes,
      ToLongBiFunction<String, String> used) {
    var left = new HashMap<Place, Long>();
    for (var node : nodes) {
      var inventory = fleet.inventory(node);
      if (inventory.isPresent() && inventory.get().spec().readiness() == Readiness.READY) {
        long least = Long.MAX_VALUE;
        for (var unit : units.entrySet()) {
          long all = inventory.get().counted().getOrDefault(unit.getKey(), 0L);
          long free = Math.max(-1, all - used.applyAsLong(node, unit.getKey()));
          least = Math.min(least, free - unit.getValue());
        }
        if (least >= 0) {
          left.put(new Place(node, Optional.empty(), units), least);
        }
      }
    }
    // The fullest first, and of these one with the image.
    return left.entrySet().stream()
        .sorted(
            Map.Entry.<Place, Long>comparingByValue()
                .thenComparing(entry -> !hasImage(entry.getKey().node(), image))
                .thenComparing(entry -> entry.getKey().node()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean hasImage(String node, String image) {
    return fleet.inventory(node).filter(it -> it.spec().images().contains(image)).isPresent();
  }

  private Found lacksUnits(List<String> nodes, Map<String, Long> units) {
    var reasons = new HashMap<String, String>();
    var hopeless = new HashSet<String>();
    for (var node : nodes) {
      reasons.put(node, "lacks free " + String.join(" and ", units.keySet()));
      var counted = fleet.inventory(node).map(inventory -> inventory.counted()).orElse(Map.of());
      if (!counted.keySet().containsAll(units.keySet())) {
        hopeless.add(node);
      }
    }
    return Found.noPlace(new Candidates.Nowhere(reasons, hopeless));
  }

  private Found cards(
      PodFacts pod,
      PodDemand.Cards demand,
      List<String> nodes,
      ToLongBiFunction<String, String> used,
      ToLongFunction<String> crowd) {
    var places = new ArrayList<Place>();
    if (!demand.units().isEmpty() && isIndifferent(demand)) {
      var accepted = nodes.stream().filter(node -> acceptsModel(demand, node)).toList();
      places.addAll(countedPlaces(demand.units(), pod.image(), accepted, used));
    }
    var others = kept.forOthersThan(pod);
    var shortlist = shortlist(pod, demand.without(others), nodes, crowd);
    for (var placement : shortlist.places()) {
      places.add(new Place(placement.node(), Optional.of(placement), Map.of()));
    }
    return places.isEmpty() ? nowhere(nodes, demand, shortlist, others) : found(places);
  }

  /**
   * Cards that are only counted cannot be chosen by UUID, nor by the way in which they are divided
   * or linked.
   */
  private static boolean isIndifferent(PodDemand.Cards demand) {
    var cards = demand.shape().cards();
    return cards.uuids().isEmpty()
        && cards.excludedUuids().isEmpty()
        && cards.partitionings().isEmpty()
        && !demand.shape().needsLinks();
  }

  /** Cards that are only counted are of the model in the node's labels, if there is one. */
  private boolean acceptsModel(PodDemand.Cards demand, String node) {
    var cards = demand.shape().cards();
    if (cards.models().isEmpty() && cards.excludedModels().isEmpty()) {
      return true;
    }
    var model = fleet.inventory(node).flatMap(NodeInventory::model);
    return model.isPresent()
        ? cards.acceptsModel(model.get())
        : cards.models().contains(CardAmounts.COUNTED) && cards.excludedModels().isEmpty();
  }

  private Shortlist shortlist(
      PodFacts pod, PodDemand.Cards demand, List<String> nodes, ToLongFunction<String> crowd) {
    var cluster = fleet.cluster();
    int[] indices = indices(cluster, nodes);
    var request = new GpuRequest(pod.uid(), demand.shape(), Standing.preemptible(pod.priority()));
    return placer.shortlist(
        cluster, request, indices, node -> crowd.applyAsLong(node.name()), pod.image(), most);
  }

  private static int[] indices(ClusterSnapshot cluster, List<String> nodes) {
    var indices = new int[nodes.size()];
    int known = 0;
    for (var node : nodes) {
      var index = cluster.index(node);
      if (index.isPresent()) {
        indices[known++] = index.getAsInt();
      }
    }
    return Arrays.copyOf(indices, known);
  }

  private Found nowhere(
      List<String> nodes, PodDemand.Cards demand, Shortlist shortlist, Set<String> others) {
    var reasons = new HashMap<String, String>();
    var hopeless = new HashSet<>(nodes);
    for (var node : nodes) {
      reasons.put(node, "has no cards of " + demand.family().word());
    }
    for (var refusal : shortlist.refusals()) {
      if (refusal.reason() != Reason.GPU_COUNT && hasOneOf(refusal.node(), others)) {
        reasons.put(refusal.node(), "keeps cards for other pods");
        hopeless.remove(refusal.node());
        continue;
      }
      reasons.put(refusal.node(), refusal.reason().phrase(1));
      if (!HOPELESS.contains(refusal.reason())) {
        hopeless.remove(refusal.node());
      }
    }
    return Found.noPlace(new Candidates.Nowhere(reasons, hopeless));
  }

  private boolean hasOneOf(String node, Set<String> uuids) {
    return !uuids.isEmpty()
        && fleet.inventory(node).stream()
            .flatMap(inventory -> inventory.spec().gpus().stream())
            .anyMatch(gpu -> uuids.contains(gpu.uuid()));
  }
}
