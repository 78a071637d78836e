package io.prescale.placement.decision;

import java.util.List;
import java.util.Optional;

/**
 * Why a node was chosen.
 *
 * @param node the chosen one
 * @param fittingNodes how many nodes the request fits
 * @param costs what the place costs by each preference, in their order
 * @param runnerUp the second best node
 */
public record Choice(String node, int fittingNodes, List<Cost> costs, Optional<RunnerUp> runnerUp) {
  public Choice {
    costs = List.copyOf(costs);
  }

  /** What a place costs by one preference; less is better. */
  public record Cost(String preference, long cost) {}

  /**
   * The second best node, and the first preference in which it is worse; none when it is equal and
   * only comes later.
   */
  public record RunnerUp(String node, Optional<Cost> decidedBy) {}

  /** The choice as a sentence. */
  public String sentence() {
    if (runnerUp.isEmpty()) {
      return node + " is the only node that fits";
    }
    var second = runnerUp.get();
    var decidedBy = second.decidedBy();
    if (decidedBy.isEmpty()) {
      return "%s is the first of %d nodes that fit, as good as %s"
          .formatted(node, fittingNodes, second.node());
    }
    var preference = decidedBy.get().preference();
    return "%s is the best of %d nodes that fit: %s, %d against %d on %s"
        .formatted(
            node,
            fittingNodes,
            preference,
            costOf(preference),
            decidedBy.get().cost(),
            second.node());
  }

  private long costOf(String preference) {
    return costs.stream()
        .filter(cost -> cost.preference().equals(preference))
        .mapToLong(Cost::cost)
        .findFirst()
        .orElseThrow();
  }
}
