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

  /**
   * The domain of this scope that the node belongs to; empty when its position is not known. Racks
   * of one name in two blocks are two racks, and likewise NVLink domains in racks, so that a domain
   * always lies within one domain of each wider scope.
   */
  public String domainOf(NodeSpec node) {
    var position = node.position();
    return switch (this) {
      case NODE -> node.name();
      case NVLINK_DOMAIN -> within(RACK.domainOf(node), position.nvlinkDomain());
      case RACK -> within(position.block(), position.rack());
      case BLOCK -> position.block();
      case CLUSTER -> "cluster";
    };
  }

  private static String within(String outer, String name) {
    return outer.isEmpty() || name.isEmpty() ? name : outer + "/" + name;
  }

  /** The scope as it is called in a sentence, such as {@code one rack}. */
  public String phrase() {
    return phrase;
  }
}
