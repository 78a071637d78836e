package io.prescale.placement.cluster;

/** The position of a node in the network; an empty name means unknown. */
public record NodePosition(String nvlinkDomain, String rack, String block) {
  public static final NodePosition UNKNOWN = new NodePosition("", "", "");
}
