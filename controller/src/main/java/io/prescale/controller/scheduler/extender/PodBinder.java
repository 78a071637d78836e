package io.prescale.controller.scheduler.extender;

import io.prescale.placement.inventory.PodFacts;
import java.util.Map;

/** Binds pods to nodes: the one write by which a decision becomes true. */
public interface PodBinder {

  /** How it went. */
  sealed interface Outcome {
    /** The pod is on the node, with the annotations. */
    record Bound() implements Outcome {}

    /** It is not, and will not be by this. */
    record Failed(String sentence) implements Outcome {}

    /** It may be or not: nobody answered. */
    record Unknown(String sentence) implements Outcome {}
  }

  /** Binds a pod, in the same write with annotations and labels. */
  Outcome bind(
      PodFacts pod, String node, Map<String, String> annotations, Map<String, String> labels);

  /** How a binding went of which nobody knew: asks where the pod is now. */
  Outcome lookUp(PodFacts pod, String node);
}
