package io.prescale.placement.filter;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.topology.CardSet;
import java.util.Optional;

/** Decides whether a request fits a node, and otherwise gives the first reason why not. */
public final class Filter {
  private static final CardFilter[] CARD_FILTERS = CardFilter.values();

  private final LinkedCards linkedCards;

  public Filter(LinkedCards linkedCards) {
    this.linkedCards = linkedCards;
  }

  /** Whether a shape fits a node; O(cards), plus C(cards, gpus) sets when a link is required. */
  public Verdict judge(GpuNode node, RequestShape shape) {
    if (node.spec().readiness() != NodeSpec.Readiness.READY) {
      return new Verdict.Refuses(
          node.spec().readiness() == NodeSpec.Readiness.CORDONED
              ? Reason.CORDONED
              : Reason.NOT_READY);
    }
    if (node.cards() < shape.gpus() && !isDivisible(node, shape, CardSet.first(node.cards()))) {
      return new Verdict.Refuses(Reason.GPU_COUNT);
    }
    var cards = shape.gpus() == 0 ? new Verdict.Fits(CardSet.NONE) : judgeCards(node, shape);
    if (cards instanceof Verdict.Refuses) {
      return cards;
    }
    return hostLacks(node, shape).<Verdict>map(Verdict.Refuses::new).orElse(cards);
  }

  private Verdict judgeCards(GpuNode node, RequestShape shape) {
    int admitted = CardSet.first(node.cards()).bits();
    for (var filter : CARD_FILTERS) {
      for (int rest = admitted; rest != 0; rest &= rest - 1) {
        int card = Integer.numberOfTrailingZeros(rest);
        if (!filter.admits(node, card, shape)) {
          admitted &= ~(1 << card);
        }
      }
      if (Integer.bitCount(admitted) < shape.gpus()
          && !isDivisible(node, shape, new CardSet(admitted))) {
        return new Verdict.Refuses(filter.reason());
      }
    }
    var cards = new CardSet(admitted);
    if (cards.size() < shape.gpus() && instances(node, shape, cards) < shape.gpus()) {
      return new Verdict.Refuses(Reason.MIG_PLACE);
    }
    return isLinked(node, shape, cards)
        ? new Verdict.Fits(cards)
        : new Verdict.Refuses(Reason.LINK);
  }

  /** Whether one of the cards may give several instances. */
  private static boolean isDivisible(GpuNode node, RequestShape shape, CardSet cards) {
    return shape.links().strength() == LinkRequirement.Strength.NONE
        && !(shape.demand() instanceof GpuDemand.WholeGpu)
        && cards.cards().anyMatch(it -> node.gpu(it).partitioning().isMig());
  }

  private static int instances(GpuNode node, RequestShape shape, CardSet cards) {
    return cards.cards().map(card -> node.shares(card, shape.demand(), shape.gpus()).size()).sum();
  }

  private boolean isLinked(GpuNode node, RequestShape shape, CardSet cards) {
    return !shape.needsLinks() || linkedCards.best(node, cards, shape).isPresent();
  }

  private static Optional<Reason> hostLacks(GpuNode node, RequestShape shape) {
    if (node.freeCpuMilli() < shape.host().cpuMilli()) {
      return Optional.of(Reason.HOST_CPU);
    }
    if (node.freeMemoryMib() < shape.host().memoryMib()) {
      return Optional.of(Reason.HOST_MEMORY);
    }
    return Optional.empty();
  }
}
