package io.prescale.controller.scheduler.facts;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The nodes that let pods in by their labels and taints. Thread-safe.
 *
 * <p>Nodes change with every heartbeat, their labels and taints seldom: only then are they compared
 * again.
 */
public final class NodeAdmission {
  /** Pods of a thousand jobs may each have a toleration of their own. */
  static final int MOST_KNOWN = 512;

  private final Map<String, Node> nodes = new HashMap<>();

  /**
   * By what pods say about nodes, the last that were asked for; empty once labels or taints of a
   * node have changed.
   */
  private final Map<NodeRules.Wishes, Set<String>> admitting =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<NodeRules.Wishes, Set<String>> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  /** Records the newest state of a node. */
  public synchronized void seen(Node node) {
    var now = NodeRules.brief(node);
    if (!now.equals(nodes.put(node.getMetadata().getName(), now))) {
      admitting.clear();
    }
  }

  /** Removes a node that is gone. */
  public synchronized void gone(Node node) {
    nodes.remove(node.getMetadata().getName());
    admitting.clear();
  }

  /** Those that let a pod in. */
  public synchronized Set<String> of(Pod pod) {
    return admitting.computeIfAbsent(
        NodeRules.Wishes.of(pod),
        _ ->
            nodes.values().stream()
                .filter(node -> NodeRules.admit(node, pod))
                .map(node -> Objects.requireNonNull(node.getMetadata().getName()))
                .collect(Collectors.toUnmodifiableSet()));
  }

  /** For how many rules of pods it is remembered which nodes let them in. */
  synchronized int known() {
    return admitting.size();
  }

  /** The same; empty if all nodes do. */
  public synchronized Optional<Set<String>> restricted(Pod pod) {
    return Optional.of(of(pod)).filter(open -> open.size() < nodes.size());
  }
}
