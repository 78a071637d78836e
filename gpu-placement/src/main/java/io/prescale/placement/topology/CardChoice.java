package io.prescale.placement.topology;

import java.util.Optional;

/**
 * Chooses which free cards of a node to take together.
 *
 * <p>The set with the greatest link score wins, as in go-gpuallocator and HAMi; among equally good
 * sets, the one that leaves the best sets of eight, then of four, then of two; then the one of the
 * lowest indices. Exact: every set of the requested size is tried, C(n, k) ≤ 12,870 for n ≤ 16.
 * Immutable; build one for each kind of node (milliseconds for 8 cards) and share it.
 */
public final class CardChoice {
  private final LinkMatrix links;
  private final SetPacking eights;
  private final SetPacking fours;
  private final SetPacking pairs;

  public CardChoice(LinkMatrix links) {
    this.links = links;
    eights = new SetPacking(links, 8);
    fours = new SetPacking(links, 4);
    pairs = new SetPacking(links, 2);
  }

  public LinkMatrix links() {
    return links;
  }

  /** The potential of a set of free cards for later requests. */
  public LinkPotential potential(CardSet free) {
    int bits = checked(free);
    return new LinkPotential(eights.best(bits), fours.best(bits), pairs.best(bits));
  }

  /**
   * The best set in which every pair scores at least {@code weakestPair}: 100 requires NVLink
   * between any two, 50 a common PCIe switch, 0 nothing. Empty when there is none.
   *
   * @param count 1 to 16
   */
  public Optional<CardSet> best(CardSet free, int count, int weakestPair) {
    if (count < 1) {
      throw new IllegalArgumentException(
          "a request for %d cards; ask for 1 or more".formatted(count));
    }
    int bits = checked(free);
    if (count > Integer.bitCount(bits)) {
      return Optional.empty();
    }
    Search search = new Search(bits, weakestPair);
    search.extend(0, 0, bits, count);
    return search.best == 0 ? Optional.empty() : Optional.of(new CardSet(search.best));
  }

  private int checked(CardSet free) {
    if (free.bits() >= 1 << links.cards()) {
      throw new IllegalArgumentException("cards %s on a node of %d".formatted(free, links.cards()));
    }
    return free.bits();
  }

  /** Tries the sets in the order of their lowest indices, so that the first of equal sets wins. */
  private final class Search {
    private final int free;
    private final int weakestPair;
    private int best;
    private int bestScore;
    private LinkPotential bestRest = new LinkPotential(0, 0, 0);

    Search(int free, int weakestPair) {
      this.free = free;
      this.weakestPair = weakestPair;
    }

    void extend(int chosen, int score, int candidates, int missing) {
      if (missing == 0) {
        consider(chosen, score);
        return;
      }
      for (int rest = candidates; Integer.bitCount(rest) >= missing; rest &= rest - 1) {
        int card = Integer.numberOfTrailingZeros(rest);
        if (links.weakestTo(card, chosen) >= weakestPair) {
          extend(
              chosen | 1 << card,
              score + links.scoreTo(card, chosen),
              rest & rest - 1,
              missing - 1);
        }
      }
    }

    private void consider(int chosen, int score) {
      if (best != 0 && score < bestScore) {
        return;
      }
      LinkPotential rest = potential(new CardSet(free & ~chosen));
      if (best == 0 || score > bestScore || rest.compareTo(bestRest) > 0) {
        best = chosen;
        bestScore = score;
        bestRest = rest;
      }
    }
  }
}
