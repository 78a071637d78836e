package io.prescale.controller.plan.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import java.time.Duration;
import java.util.Set;

/**
 * What a plan is made for.
 *
 * @param level probability with which it is to suffice in each step
 * @param factor by which every demand is multiplied
 * @param without nodes that are taken to be gone, with all that runs on them
 * @param nodeLead from the order of a node until it takes pods
 */
public record PlanQuestion(double level, double factor, Set<String> without, Duration nodeLead) {
  public PlanQuestion {
    without = Set.copyOf(without);
    if (!(level > 0 && level < 1) || !(factor > 0 && Double.isFinite(factor))) {
      throw new IllegalArgumentException(
          "a plan for the level %s and %s times the demand".formatted(level, factor));
    }
    if (nodeLead.isNegative()) {
      throw new IllegalArgumentException("a node is there after " + nodeLead);
    }
  }

  /**
   * What is left of a cluster.
   *
   * @throws IllegalArgumentException with a sentence, when a node that is to be gone is unknown
   */
  public ClusterObjects left(ClusterObjects cluster) {
    for (var gone : without) {
      if (cluster.of(Node.class).noneMatch(it -> it.getMetadata().getName().equals(gone))) {
        throw new IllegalArgumentException("the cluster has no node " + gone);
      }
    }
    return cluster
        .withoutNodes(node -> without.contains(node.getMetadata().getName()))
        .withoutPods(pod -> without.contains(String.valueOf(pod.getSpec().getNodeName())));
  }

  /** The 90th percentile of the demand as it is, and nodes within ten minutes. */
  public static PlanQuestion usual() {
    return new PlanQuestion(0.9, 1, Set.of(), Duration.ofMinutes(10));
  }
}
