package io.prescale.placement.decision;

import io.prescale.placement.preference.Criterion;
import java.util.List;
import java.util.Optional;

/**
 * Why a node was chosen.
 *
 * @param node the chosen node
 * @param fittingNodes number of nodes that the request fits
 * @param costs costs of the place by each criterion, in order of the criteria
 * @param runnerUp the second best node
 */
public record Choice(String node, int fittingNodes, List<Cost> costs, Optional<RunnerUp> runnerUp) {
  public Choice {
    costs = List.copyOf(costs);
  }

  /** The cost of a place by one criterion; less is better. */
  public record Cost(Criterion criterion, long cost) {
    public String preference() {
      return criterion.name();
    }

    /** The cost in the criterion's own units. */
    public String words() {
      return criterion.inWords(cost);
    }
  }

  /** The second best node and the first criterion in which it is worse; none if it is equal. */
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
    var other = decidedBy.get();
    return "%s is the best of %d nodes that fit: %s, %s against %s on %s"
        .formatted(
            node, fittingNodes, other.preference(), wordsOf(other), other.words(), second.node());
  }

  private String wordsOf(Cost other) {
    return costs.stream()
        .filter(cost -> cost.criterion().equals(other.criterion()))
        .map(Cost::words)
        .findFirst()
        .orElseThrow();
  }
}
