package io.prescale.placement.ledger;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a pod takes of the cards that there are.
 *
 * @param milli the least, in thousandths of a card, on the cards of which it takes the smallest
 *     part; whole ones where none could serve it
 * @param models of the cards that could serve it if they were idle
 */
public record CardPart(long milli, SortedSet<String> models) {
  public CardPart {
    models = Collections.unmodifiableSortedSet(new TreeSet<>(models));
    if (milli < 0) {
      throw new IllegalArgumentException("a part of a card below 0: " + milli);
    }
  }

  /** The same among some models. */
  CardPart among(Set<String> some) {
    var left = new TreeSet<>(models);
    left.retainAll(some);
    return new CardPart(milli, left);
  }
}
