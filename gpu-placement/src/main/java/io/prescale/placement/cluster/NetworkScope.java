package io.prescale.placement.cluster;

/**
 * A part of the network within which a gang may have to stay: one node, one domain of a level, or
 * the cluster. Scopes of the same {@link NetworkLevels} are ordered from the smallest to the
 * largest.
 *
 * @param width 0 for one node, then the levels from the smallest
 * @param name of the level, such as {@code rack}
 */
public record NetworkScope(int width, String name) implements Comparable<NetworkScope> {
  public static final NetworkScope NODE = new NetworkScope(0, "node");
  public static final NetworkScope CLUSTER = new NetworkScope(Integer.MAX_VALUE, "cluster");

  /** The domain of this scope that contains the node; empty when its position is unknown. */
  public String domainOf(NodeSpec node) {
    if (equals(NODE)) {
      return node.name();
    }
    return equals(CLUSTER) ? name : node.position().domain(width - 1);
  }

  /** The scope in a sentence, such as {@code one rack}. */
  public String phrase() {
    return equals(CLUSTER) ? "the cluster" : "one " + name;
  }

  @Override
  public int compareTo(NetworkScope other) {
    return Integer.compare(width, other.width);
  }
}
