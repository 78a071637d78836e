package io.prescale.placement.cluster;

/**
 * Whether a request is packed with others or spread, for nodes and for the cards of a node.
 *
 * @param nodes direction for nodes
 * @param cards direction for the cards of a node
 */
public record PackingPolicy(Direction nodes, Direction cards) {

  /** Which place to choose when several fit. */
  public enum Direction {
    /** The choice of the cluster's policy. */
    DEFAULT,
    /** The fullest place that fits. */
    BINPACK,
    /** The emptiest place. */
    SPREAD
  }

  public static final PackingPolicy DEFAULT =
      new PackingPolicy(Direction.DEFAULT, Direction.DEFAULT);
}
