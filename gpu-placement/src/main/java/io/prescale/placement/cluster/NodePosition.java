package io.prescale.placement.cluster;

/** Where a node stands in the network; an empty name means that it is not known. */
public record NodePosition(String nvlinkDomain, String rack, String block) {
  public static final NodePosition UNKNOWN = new NodePosition("", "", "");
}
