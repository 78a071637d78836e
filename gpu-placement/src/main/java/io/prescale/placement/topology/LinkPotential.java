package io.prescale.placement.topology;

import java.util.Comparator;

/**
 * What free cards could still serve: the greatest sum of set scores when they are divided into
 * disjoint sets of eight, of four, of two. Larger sets count first.
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
