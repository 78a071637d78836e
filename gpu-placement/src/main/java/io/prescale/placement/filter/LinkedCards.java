package io.prescale.placement.filter;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.topology.CardChoice;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.topology.LinkMatrix;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the best-linked cards of a node. Caches results for each link matrix, of which a cluster
 * has few, and for each set of free cards. Not thread-safe.
 */
public final class LinkedCards {
  private final Map<LinkMatrix, Kind> kinds = new HashMap<>();
  private @Nullable Kind last;

  /** The choice of cards for the node's links; empty when they are unknown. */
  public Optional<CardChoice> choiceOn(GpuNode node) {
    return node.spec().links().map(this::kind).map(kind -> kind.choice);
  }

  /**
   * The best set of as many cards as the request needs. Where links are unknown, the cards of the
   * lowest indices, or none if a link is required.
   */
  public Optional<CardSet> best(GpuNode node, CardSet cards, RequestShape shape) {
    int leastScore = shape.leastLinkScore();
    var links = node.spec().pairsFor(shape.links());
    if (links.isPresent()) {
      return kind(links.get()).best(new Question(cards, shape.gpus(), leastScore));
    }
    return cards.size() < shape.gpus() || leastScore > 0
        ? Optional.empty()
        : Optional.of(lowest(cards, shape.gpus()));
  }

  private Kind kind(LinkMatrix links) {
    var known = last;
    if (known == null || !known.choice.links().equals(links)) {
      known = kinds.computeIfAbsent(links, Kind::new);
      last = known;
    }
    return known;
  }

  private static CardSet lowest(CardSet cards, int count) {
    int bits = cards.bits();
    while (Integer.bitCount(bits) > count) {
      bits &= ~Integer.highestOneBit(bits);
    }
    return new CardSet(bits);
  }

  private record Question(CardSet cards, int count, int leastScore) {}

  /** The cached results for one matrix. */
  private static final class Kind {
    private final CardChoice choice;
    private final Map<Question, Optional<CardSet>> best = new HashMap<>();

    Kind(LinkMatrix links) {
      choice = new CardChoice(links);
    }

    Optional<CardSet> best(Question question) {
      return best.computeIfAbsent(
          question, asked -> choice.best(asked.cards(), asked.count(), asked.leastScore()));
    }
  }
}
