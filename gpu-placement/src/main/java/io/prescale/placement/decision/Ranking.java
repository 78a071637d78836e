package io.prescale.placement.decision;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.preference.Criterion;
import io.prescale.placement.preference.Policy;
import io.prescale.placement.preference.Preference;
import java.util.ArrayList;
import java.util.List;

/** A policy applied to one shape: its distinct preferences and their order at each level. */
final class Ranking {
  private final RequestShape shape;
  private final List<Preference> preferences = new ArrayList<>();
  private final int[] nodeOrder;
  private final int[] cardOrder;

  Ranking(Policy policy, RequestShape shape) {
    this.shape = shape;
    nodeOrder = indices(policy.nodesFor(shape));
    cardOrder = indices(policy.cardsFor(shape));
  }

  private int[] indices(List<Preference> order) {
    for (var preference : order) {
      if (!preferences.contains(preference)) {
        preferences.add(preference);
      }
    }
    return order.stream().mapToInt(preferences::indexOf).toArray();
  }

  RequestShape shape() {
    return shape;
  }

  List<Preference> preferences() {
    return preferences;
  }

  int nodeLevels() {
    return nodeOrder.length;
  }

  int nodePreference(int level) {
    return nodeOrder[level];
  }

  /** The criterion by which nodes are compared at a level. */
  Criterion nodeCriterion(int level) {
    return preferences.get(nodeOrder[level]);
  }

  int cardLevels() {
    return cardOrder.length;
  }

  int cardPreference(int level) {
    return cardOrder[level];
  }

  NodeCosts on(GpuNode node) {
    return new NodeCosts(this, node);
  }
}
