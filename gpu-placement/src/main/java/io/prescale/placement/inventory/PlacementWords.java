package io.prescale.placement.inventory;

import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.PackingPolicy;
import io.prescale.placement.cluster.PackingPolicy.Direction;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a pod's annotations say of where its cards are to be: HAMi's words, and one of our own. */
final class PlacementWords {
  private static final String NODE_POLICY = "hami.io/node-scheduler-policy";
  private static final String CARD_POLICY = "hami.io/gpu-scheduler-policy";

  /** Our own word, since HAMi has none. */
  private static final String REQUIRED_LINKS = "gpu.prescale.io/required-links";

  private static final String NUMA_BIND = "nvidia.com/numa-bind";
  private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True"); // Go's

  private static final Map<String, LinkScope> LINK_SCOPES =
      Map.of(
          "nvlink", LinkScope.NVLINK,
          "pcie-switch", LinkScope.PCIE_SWITCH,
          "pcie-host-bridge", LinkScope.PCIE_HOST_BRIDGE,
          "numa-node", LinkScope.NUMA_NODE);

  /** The annotations that are read. */
  static final Set<String> KEYS = Set.of(NODE_POLICY, CARD_POLICY, REQUIRED_LINKS, NUMA_BIND);

  private PlacementWords() {}

  /** Which nodes and cards are filled first. */
  static PackingPolicy packing(PodFacts pod) {
    return new PackingPolicy(direction(pod, NODE_POLICY), direction(pod, CARD_POLICY));
  }

  private static Direction direction(PodFacts pod, String key) {
    for (var word : pod.annotations().getOrDefault(key, "").split(",", -1)) {
      switch (word.strip()) {
        case "binpack" -> {
          return Direction.BINPACK;
        }
        case "spread" -> {
          return Direction.SPREAD;
        }
        default -> {
          // Another of HAMi's policies, or none.
        }
      }
    }
    return Direction.DEFAULT;
  }

  /**
   * How the cards must or should be linked.
   *
   * @param perContainer cards of each container
   * @throws MalformedEntryException if a word is unknown, or two contradict each other
   */
  static LinkRequirement links(PodFacts pod, List<Integer> perContainer)
      throws MalformedEntryException {
    boolean isBound =
        TRUE.contains(pod.annotations().getOrDefault(NUMA_BIND, ""))
            && perContainer.stream().anyMatch(cards -> cards > 1);
    var word = pod.annotations().get(REQUIRED_LINKS);
    if (word != null) {
      var scope = LINK_SCOPES.get(word.strip());
      if (scope == null) {
        throw new MalformedEntryException(
            "%s is %s; give nvlink, pcie-switch, pcie-host-bridge or numa-node"
                .formatted(REQUIRED_LINKS, Text.quoted(word)));
      }
      if (isBound && scope != LinkScope.NUMA_NODE) {
        throw new MalformedEntryException(
            "%s and %s are not kept to together; leave one out"
                .formatted(REQUIRED_LINKS, NUMA_BIND));
      }
      return LinkRequirement.required(scope);
    }
    if (isBound) {
      return LinkRequirement.required(LinkScope.NUMA_NODE);
    }
    return preferredLinks(pod.annotations().getOrDefault(CARD_POLICY, ""));
  }

  /** By HAMi's policies, which may be several. */
  private static LinkRequirement preferredLinks(String policies) {
    if (policies.contains("topology-aware")) {
      return LinkRequirement.preferred();
    }
    return policies.contains("numa")
        ? LinkRequirement.preferred(LinkScope.NUMA_NODE)
        : LinkRequirement.NONE;
  }
}
