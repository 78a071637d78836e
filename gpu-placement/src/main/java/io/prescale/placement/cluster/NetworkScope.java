package io.prescale.placement.cluster;

/** How far apart the members of a gang may be, from the nearest to the farthest. */
public enum NetworkScope {
  NODE("one node"),
  NVLINK_DOMAIN("one NVLink domain"),
  RACK("one rack"),
  BLOCK("one block"),
  CLUSTER("the cluster");

  private final String phrase;

  NetworkScope(String phrase) {
    this.phrase = phrase;
  }

  /** The domain of this scope that the node belongs to; empty when its position is not known. */
  public String domainOf(NodeSpec node) {
    return switch (this) {
      case NODE -> node.name();
      case NVLINK_DOMAIN -> node.position().nvlinkDomain();
      case RACK -> node.position().rack();
      case BLOCK -> node.position().block();
      case CLUSTER -> "cluster";
    };
  }

  /** The scope as it is called in a sentence, such as {@code one rack}. */
  public String phrase() {
    return phrase;
  }
}
