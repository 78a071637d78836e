package io.prescale.placement.cluster;

/**
 * Whether a request goes where others are, for nodes and for the cards of a node.
 *
 * @param nodes which node
 * @param cards which card of a node
 */
public record PackingPolicy(Direction nodes, Direction cards) {

  /** Where to go when several places fit. */
  public enum Direction {
    /** As the policy of the cluster says. */
    DEFAULT,
    /** The fullest place that fits. */
    BINPACK,
    /** The emptiest place. */
    SPREAD
  }

  public static final PackingPolicy DEFAULT =
      new PackingPolicy(Direction.DEFAULT, Direction.DEFAULT);
}
