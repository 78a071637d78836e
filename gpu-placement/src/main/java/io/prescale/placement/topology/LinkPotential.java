package io.prescale.placement.topology;

import java.util.Comparator;

/**
 * The potential of free cards: the greatest sums of link scores when they are divided into disjoint
 * sets of eight, of four and of two. Larger sets are compared first.
 */
public record LinkPotential(int eights, int fours, int pairs) implements Comparable<LinkPotential> {
  private static final Comparator<LinkPotential> LARGE_SETS_FIRST =
      Comparator.comparingInt(LinkPotential::eights)
          .thenComparingInt(LinkPotential::fours)
          .thenComparingInt(LinkPotential::pairs);

  /** The difference, component by component; may be negative. */
  public LinkPotential minus(LinkPotential other) {
    return new LinkPotential(eights - other.eights, fours - other.fours, pairs - other.pairs);
  }

  @Override
  public int compareTo(LinkPotential other) {
    return LARGE_SETS_FIRST.compare(this, other);
  }
}
