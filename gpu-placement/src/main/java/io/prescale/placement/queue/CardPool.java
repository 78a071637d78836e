package io.prescale.placement.queue;

import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The cards that some queues divide among them, and only they.
 *
 * @param models parts of the names of their models, in one spelling; empty for all cards that are
 *     in no other pool
 */
public record CardPool(SortedSet<String> models) {
  /** What is left beside all other pools; without any other, every card. */
  public static final CardPool REST = new CardPool(Collections.emptySortedSet());

  public CardPool {
    models = Collections.unmodifiableSortedSet(new TreeSet<>(models));
    if (models.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("a pool names an empty model; name a part of one");
    }
  }

  /** The pool of cards whose model has one of these names as a part, in any spelling. */
  public static CardPool of(Collection<String> names) {
    var models = new TreeSet<String>();
    names.forEach(name -> models.add(spelled(name.strip())));
    return new CardPool(models);
  }

  /** Labels have hyphens where device plugins have spaces. */
  private static String spelled(String name) {
    return name.toUpperCase(Locale.ROOT).replace(' ', '-').replace('_', '-');
  }

  /** The longest name that is a part of a model, by its length; 0 if there is none. */
  int matchOf(String model) {
    var spelled = spelled(model);
    return models.stream().filter(spelled::contains).mapToInt(String::length).max().orElse(0);
  }

  /** Whether a name is in both and one of them has more, so that a card could be in either. */
  boolean contradicts(CardPool other) {
    return !equals(other) && !Collections.disjoint(models, other.models);
  }
}
