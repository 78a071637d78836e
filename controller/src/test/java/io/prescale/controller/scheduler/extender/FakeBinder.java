package io.prescale.controller.scheduler.extender;

import io.prescale.placement.inventory.PodFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Remembers what it binds, and fails as it is told. */
final class FakeBinder implements PodBinder {
  private final Map<String, Map<String, String>> bound = new HashMap<>();
  private final List<String> nodes = new ArrayList<>();
  private Outcome outcome = new Outcome.Bound();

  void answer(Outcome next) {
    outcome = next;
  }

  /** The annotations of a pod by its name; empty when it was not bound. */
  Map<String, String> annotationsOf(String pod) {
    return bound.getOrDefault(pod, Map.of());
  }

  /** Where pods were bound, in their order. */
  List<String> nodes() {
    return nodes;
  }

  @Override
  public Outcome bind(
      PodFacts pod, String node, Map<String, String> annotations, Map<String, String> labels) {
    if (outcome instanceof Outcome.Bound) {
      bound.put(pod.name(), annotations);
      nodes.add(node);
    }
    return outcome;
  }

  @Override
  public Outcome resolve(PodFacts pod, String node) {
    return outcome;
  }
}
