package io.prescale.placement.topology;

import java.util.stream.IntStream;

/**
 * A set of cards of one node, as indices from 0 to {@code MOST_CARDS - 1}.
 *
 * @param bits bit i is set when card i is a member
 */
public record CardSet(int bits) {
  public static final int MOST_CARDS = 16;

  public static final CardSet NONE = new CardSet(0);

  public CardSet {
    if (bits < 0 || bits >= 1 << MOST_CARDS) {
      throw new IllegalArgumentException("a node has at most %d cards".formatted(MOST_CARDS));
    }
  }

  public static CardSet of(int... cards) {
    int bits = 0;
    for (int card : cards) {
      if (card < 0 || card >= MOST_CARDS) {
        throw new IllegalArgumentException(
            "card %d does not exist; indices go from 0 to %d".formatted(card, MOST_CARDS - 1));
      }
      bits |= 1 << card;
    }
    return new CardSet(bits);
  }

  /** The cards 0 to {@code count - 1}. */
  public static CardSet first(int count) {
    if (count < 0 || count > MOST_CARDS) {
      throw new IllegalArgumentException(
          "a node of %d cards; give 0 to %d".formatted(count, MOST_CARDS));
    }
    return new CardSet((1 << count) - 1);
  }

  public int size() {
    return Integer.bitCount(bits);
  }

  public boolean isEmpty() {
    return bits == 0;
  }

  public boolean contains(int card) {
    return card >= 0 && card < MOST_CARDS && (bits >> card & 1) == 1;
  }

  public CardSet minus(CardSet others) {
    return new CardSet(bits & ~others.bits);
  }

  /** The indices, ascending. */
  public IntStream cards() {
    return IntStream.range(0, MOST_CARDS).filter(this::contains);
  }

  /** The members' indices, as in {@code {0, 3}}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    cards().forEach(card -> text.append(text.length() > 1 ? ", " : "").append(card));
    return text.append('}').toString();
  }
}
