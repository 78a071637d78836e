package io.prescale.placement.cluster;

/** The network domains within which a gang may have to stay, from the smallest to the largest. */
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
   * The domain of this scope that contains the node; empty when its position is unknown. Racks of
   * the same name in different blocks are different racks, and likewise NVLink domains in racks, so
   * a domain always lies within one domain of each wider scope.
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

  /** The scope's name in a sentence, such as {@code one rack}. */
  public String phrase() {
    return phrase;
  }
}
