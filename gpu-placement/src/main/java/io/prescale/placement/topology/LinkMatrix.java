package io.prescale.placement.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The link score of every pair of cards of a node. Immutable; nodes of one kind share one.
 *
 * <p>Scores are those of {@link Link#score()}; the score of a set is the sum over its pairs, as in
 * go-gpuallocator.
 */
public final class LinkMatrix {
  /** No link scores more; far below what {@code RemainingLinks} can add up. */
  private static final int HIGHEST_SCORE =
      new Link(PciePath.SAME_BOARD, Link.MOST_NV_LINKS).score();

  private final int[][] scores;

  private LinkMatrix(int[][] scores) {
    this.scores = scores;
  }

  /** Supplies the link between two cards; called once for each pair, with {@code a < b}. */
  @FunctionalInterface
  public interface Wiring {
    Link between(int a, int b);
  }

  /**
   * A matrix from the link of each pair.
   *
   * @throws IllegalArgumentException when there are more than 16 cards, or none
   */
  public static LinkMatrix of(int cards, Wiring wiring) {
    int[][] scores = new int[checkedCount(cards)][cards];
    for (int a = 0; a < cards; a++) {
      for (int b = a + 1; b < cards; b++) {
        scores[a][b] = wiring.between(a, b).score();
        scores[b][a] = scores[a][b];
      }
    }
    return new LinkMatrix(scores);
  }

  /**
   * A matrix from published pair scores. A pair whose two directions differ counts as unknown,
   * score 0, as in HAMi; the diagonal is ignored.
   *
   * @throws IllegalArgumentException when the table is empty, larger than 16, not square, or holds
   *     a score that is negative or higher than that of any {@link Link}
   */
  public static LinkMatrix ofScores(int[][] table) {
    int cards = checkedCount(table.length);
    int[][] scores = new int[cards][cards];
    for (int a = 0; a < cards; a++) {
      if (table[a].length != cards) {
        throw new IllegalArgumentException(
            "row %d of the link scores has %d values; give %d, one for each card"
                .formatted(a, table[a].length, cards));
      }
      for (int b = 0; b < cards; b++) {
        if (a != b && (table[a][b] < 0 || table[a][b] > HIGHEST_SCORE)) {
          throw new IllegalArgumentException(
              "link score %d between cards %d and %d; give 0 to %d"
                  .formatted(table[a][b], a, b, HIGHEST_SCORE));
        }
      }
    }
    for (int a = 0; a < cards; a++) {
      for (int b = 0; b < cards; b++) {
        scores[a][b] = a != b && table[a][b] == table[b][a] ? table[a][b] : 0;
      }
    }
    return new LinkMatrix(scores);
  }

  /**
   * A matrix by which cards are of one NUMA node or not, whatever their links; of equal ones the
   * links count. Cards of which it is unknown are on none.
   *
   * @param nodes the number of each card's NUMA node
   * @param links of the cards, as far as they are known
   */
  public static LinkMatrix ofNumaNodes(List<OptionalInt> nodes, Optional<LinkMatrix> links) {
    int[][] scores = new int[checkedCount(nodes.size())][nodes.size()];
    for (int a = 0; a < scores.length; a++) {
      for (int b = 0; b < scores.length; b++) {
        int linked = links.isPresent() ? links.get().score(a, b) : 0;
        boolean isOne = nodes.get(a).isPresent() && nodes.get(a).equals(nodes.get(b));
        scores[a][b] =
            isOne
                ? Math.max(PciePath.SAME_CPU.score(), linked)
                : Math.min(PciePath.CROSS_CPU.score(), linked);
      }
    }
    return ofScores(scores);
  }

  /**
   * A matrix of cards of which some are on one PCIe root complex, and so behind one host bridge.
   *
   * @param roots each card's, if it is known
   */
  public static LinkMatrix ofPcieRoots(List<Optional<String>> roots) {
    return of(
        roots.size(),
        (a, b) ->
            Link.pcie(
                roots.get(a).isPresent() && roots.get(a).equals(roots.get(b))
                    ? PciePath.HOST_BRIDGE
                    : PciePath.UNKNOWN));
  }

  private static int checkedCount(int cards) {
    if (cards < 1 || cards > CardSet.MOST_CARDS) {
      throw new IllegalArgumentException(
          "a node has %d cards; give 1 to %d".formatted(cards, CardSet.MOST_CARDS));
    }
    return cards;
  }

  public int cards() {
    return scores.length;
  }

  /** The score of a pair; 0 for a card and itself. */
  public int score(int a, int b) {
    return scores[a][b];
  }

  /** The sum over the pairs of a set; 0 for a single card. */
  public int score(CardSet set) {
    return score(set.bits());
  }

  int score(int bits) {
    int sum = 0;
    for (int rest = bits; rest != 0; rest &= rest - 1) {
      sum += scoreTo(Integer.numberOfTrailingZeros(rest), rest);
    }
    return sum;
  }

  /** The sum of a card's scores to the members of a set. */
  int scoreTo(int card, int bits) {
    int sum = 0;
    for (int rest = bits; rest != 0; rest &= rest - 1) {
      sum += scores[card][Integer.numberOfTrailingZeros(rest)];
    }
    return sum;
  }

  /** The least score between a card and the members of a set; the greatest int for an empty set. */
  public int weakestTo(int card, CardSet set) {
    return weakestTo(card, set.bits());
  }

  int weakestTo(int card, int bits) {
    int least = Integer.MAX_VALUE;
    for (int rest = bits; rest != 0; rest &= rest - 1) {
      least = Math.min(least, scores[card][Integer.numberOfTrailingZeros(rest)]);
    }
    return least;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LinkMatrix matrix && Arrays.deepEquals(scores, matrix.scores);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(scores);
  }
}
