package io.prescale.placement.cluster;

import java.util.List;

/**
 * The position of a node in the network, as {@link NetworkLevels#position} finds it.
 *
 * @param domains the domain of each level that contains the node, from the smallest level to the
 *     largest; an empty name means unknown, and so do missing ones at the end
 */
public record NodePosition(List<String> domains) {
  public static final NodePosition UNKNOWN = new NodePosition(List.of());

  public NodePosition {
    domains = List.copyOf(domains);
  }

  /** The domain of a level, counted from the smallest; empty when it is unknown. */
  String domain(int level) {
    return level < domains.size() ? domains.get(level) : "";
  }
}
