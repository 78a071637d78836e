package io.prescale.controller.placement;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where a pod could go. */
public sealed interface Candidates {

  /** It asks for nothing that is decided here: every node is as good as any other. */
  record Anywhere() implements Candidates {}

  /** The best nodes, the best first; never empty. */
  record Nodes(List<String> best) implements Candidates {
    public Nodes {
      best = List.copyOf(best);
    }
  }

  /**
   * None of the nodes that were asked for.
   *
   * @param reasons one for every node
   * @param hopeless those of them that would not take the pod if they were empty either
   */
  record Nowhere(Map<String, String> reasons, Set<String> hopeless) implements Candidates {
    public Nowhere {
      reasons = Map.copyOf(reasons);
      hopeless = Set.copyOf(hopeless);
    }
  }
}
