package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.NodeChoice.Found;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Chooses places that the pods' queues permit. Not thread-safe. */
record PermittedPlaces(Fleet fleet, Holdings holdings, QueueAccounts queues, NodeChoice choice) {
  /** The same, of which another number of nodes is listed at most. */
  PermittedPlaces listing(int most) {
    return new PermittedPlaces(fleet, holdings, queues, choice.listing(most));
  }

  /**
   * Finds where a pod could go without taking more than its queue may now. What a pod holds is
   * counted already.
   */
  Found among(
      PodFacts pod,
      PodDemand demand,
      List<String> nodes,
      Instant now,
      ToLongFunction<String> crowd) {
    var models = queues.modelsFor(pod);
    if (models.isEmpty()) {
      return chosen(pod, demand, nodes, now, crowd);
    }
    var open = nodes.stream().filter(node -> mayServe(node, models.get(), demand)).toList();
    var found = chosen(pod, demand, open, now, crowd);
    return found.candidates() instanceof Candidates.Nowhere nowhere
        ? Found.noPlace(nowhere.withReason(nodes, whyClosed(models.get())))
        : found;
  }

  private String whyClosed(Set<String> models) {
    return Collections.disjoint(models, fleet.amounts().byModel().keySet())
        ? "has no usable card of the models of the pod's queue, nor has any node"
        : "has cards of other queues only";
  }

  private boolean mayServe(String node, Set<String> models, PodDemand demand) {
    return fleet.inventory(node).filter(it -> !CardAmounts.mayServe(it, models, demand)).isEmpty();
  }

  private Found chosen(
      PodFacts pod,
      PodDemand demand,
      List<String> nodes,
      Instant now,
      ToLongFunction<String> crowd) {
    if (holdings.has(pod.uid())) {
      return choice.among(pod, demand, nodes, holdings::used, crowd);
    }
    long least = queues.leastOf(demand);
    var refusal = refusal(pod, least, now);
    if (refusal.isPresent()) {
      return heldBack(refusal.get());
    }
    if (demand instanceof PodDemand.Cards cards) {
      var refused = refusedCards(pod, cards, nodes, least, now);
      if (!refused.isEmpty()) {
        var found = choice.among(pod, cards.without(refused), nodes, holdings::used, crowd);
        if (found.best().isPresent()) {
          return found;
        }
      }
    }
    var found = choice.among(pod, demand, nodes, holdings::used, crowd);
    return found
        .best()
        .map(place -> queues.amountOf(place.placement(), place.units()))
        .filter(amount -> amount > least)
        .flatMap(amount -> refusal(pod, amount, now))
        .map(PermittedPlaces::heldBack)
        .orElse(found);
  }

  /** The kind of a pod; empty if cards are kept for the very pod. */
  Optional<GangSearch.PodKind> kindOf(PodFacts pod, PodDemand demand) {
    return choice.keepsCardsFor(pod)
        ? Optional.empty()
        : Optional.of(
            new GangSearch.PodKind(
                queues.queueOf(pod), demand, pod.priority(), pod.isNeverTaken(), pod.length()));
  }

  /**
   * Whether a demand takes more of its queue on some cards than on others, so that the cards that
   * it may have depend on what the queue has left.
   */
  boolean isChoosyByQueue(PodDemand demand) {
    long least = queues.leastOf(demand);
    return least > 0
        && demand instanceof PodDemand.Cards cards
        && fleet.amounts().mostOf(cards.shape()) > least;
  }

  private Optional<String> refusal(PodFacts pod, long milli, Instant now) {
    return queues.refusal(queues.queueOf(pod), "the pod", milli, now);
  }

  private static Found heldBack(String sentence) {
    return Found.noPlace(new Candidates.HeldBack(sentence));
  }

  /** The cards of which the pod would take a larger part than its queue may have. */
  private Set<String> refusedCards(
      PodFacts pod, PodDemand.Cards demand, List<String> nodes, long least, Instant now) {
    var shape = demand.shape();
    long most = fleet.amounts().mostOf(shape);
    if (most <= least || refusal(pod, most, now).isEmpty()) {
      return Set.of();
    }
    var permitted = new HashMap<Long, Boolean>();
    var refused = new HashSet<String>();
    for (var node : nodes) {
      var inventory = fleet.inventory(node);
      if (inventory.isPresent()) {
        for (var gpu : inventory.get().spec().gpus()) {
          if (CardAmounts.canServe(gpu, shape)
              && !permitted.computeIfAbsent(
                  CardAmounts.amountOn(gpu, shape), milli -> refusal(pod, milli, now).isEmpty())) {
            refused.add(gpu.uuid());
          }
        }
      }
    }
    return refused;
  }
}
