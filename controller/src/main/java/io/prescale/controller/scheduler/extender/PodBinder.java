package io.prescale.controller.scheduler.extender;

import io.prescale.placement.inventory.PodFacts;
import java.util.Map;

/**
 * Writes bindings to the API server. A lost answer leaves the outcome of a binding unknown; {@link
 * #resolve} settles it.
 */
interface PodBinder {

  /** The outcome of a binding. */
  sealed interface Outcome {
    /** The pod is on the node, with the annotations. */
    record Bound() implements Outcome {}

    /** The pod is not on the node, and this write will not put it there. */
    record Failed(String sentence) implements Outcome {}

    /** The answer was lost: the pod may be on the node or not. */
    record Unknown(String sentence) implements Outcome {}
  }

  /** Binds a pod; annotations and labels travel in the same write. */
  Outcome bind(
      PodFacts pod, String node, Map<String, String> annotations, Map<String, String> labels);

  /** Resolves a binding whose outcome is unknown by reading the pod. */
  Outcome resolve(PodFacts pod, String node);
}
