package io.prescale.controller.scheduler.facts;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node's labels and taints let a pod in, as kube-scheduler's filters NodeAffinity (node
 * selectors only) and TaintToleration have it.
 */
public final class NodeRules {
  private NodeRules() {}

  /** What a pod says of the nodes that let it in. */
  record Wishes(Map<String, String> selector, List<Toleration> tolerations) {
    static Wishes of(Pod pod) {
      return new Wishes(
          orEmpty(pod.getSpec().getNodeSelector()), orEmpty(pod.getSpec().getTolerations()));
    }
  }

  /** Whether the same nodes let both pods in, whatever nodes there are. */
  public static boolean areAlike(Pod one, Pod other) {
    return Wishes.of(one).equals(Wishes.of(other));
  }

  /** A node as far as these rules look at it. */
  static Node brief(Node node) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(node.getMetadata().getName())
        .withLabels(node.getMetadata().getLabels())
        .endMetadata()
        .withNewSpec()
        .withTaints(taints(node))
        .endSpec()
        .build();
  }

  /** Whether it does. */
  public static boolean admit(Node node, Pod pod) {
    var labels = orEmpty(node.getMetadata().getLabels());
    var selector = orEmpty(pod.getSpec().getNodeSelector());
    return labels.entrySet().containsAll(selector.entrySet())
        && taints(node).stream()
            .filter(taint -> !"PreferNoSchedule".equals(taint.getEffect()))
            .allMatch(taint -> isTolerated(taint, orEmpty(pod.getSpec().getTolerations())));
  }

  private static List<Taint> taints(Node node) {
    return node.getSpec() == null ? List.of() : orEmpty(node.getSpec().getTaints());
  }

  private static boolean isTolerated(Taint taint, List<Toleration> tolerations) {
    return tolerations.stream().anyMatch(it -> tolerates(it, taint));
  }

  /** An absent effect or key means all; the operator is Equal by default. */
  private static boolean tolerates(Toleration toleration, Taint taint) {
    boolean isEffect =
        isEmpty(toleration.getEffect()) || toleration.getEffect().equals(taint.getEffect());
    boolean exists = "Exists".equals(toleration.getOperator());
    boolean isKey =
        isEmpty(toleration.getKey()) ? exists : toleration.getKey().equals(taint.getKey());
    return isEffect
        && isKey
        && (exists
            || Objects.requireNonNullElse(toleration.getValue(), "")
                .equals(Objects.requireNonNullElse(taint.getValue(), "")));
  }

  private static boolean isEmpty(@Nullable String text) {
    return text == null || text.isEmpty();
  }
}
