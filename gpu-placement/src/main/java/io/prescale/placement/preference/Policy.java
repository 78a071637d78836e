package io.prescale.placement.preference;

import io.prescale.placement.cluster.PackingPolicy.Direction;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import java.util.ArrayList;
import java.util.List;

/**
 * The preferences of a placement, in order: first cards are chosen on each node, then the node. The
 * first preference in which two places differ decides; of equal places the first one wins.
 *
 * @param name of the policy, such as {@code fgd}
 * @param nodes how nodes are compared, each by its best cards
 * @param cards how the cards of one node are compared
 */
public record Policy(String name, Level nodes, Level cards) {

  /** The preferences of one level. The request's own choice of binpack or spread comes between. */
  public record Level(List<Preference> before, List<Preference> after) {
    public Level {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }

    private List<Preference> with(Direction direction, Preference binpack, Preference spread) {
      var all = new ArrayList<>(before);
      switch (direction) {
        case DEFAULT -> {}
        case BINPACK -> all.add(binpack);
        case SPREAD -> all.add(spread);
      }
      all.addAll(after);
      return all;
    }
  }

  /** The policy of Weng et al. alone, for comparison. */
  public static Policy fgd(Fragmentation fragmentation) {
    var gradient = List.<Preference>of(new LeastFragmentation(fragmentation));
    return new Policy("fgd", new Level(List.of(), gradient), new Level(List.of(), gradient));
  }

  /** Best fit of CPU and GPU together, on the fullest card, for comparison. */
  public static Policy bestFit(BestFit bestFit) {
    return new Policy(
        "bestfit",
        new Level(List.of(), List.of(bestFit)),
        new Level(List.of(), List.of(new CardPacking(false))));
  }

  /**
   * Prescale's own policy: sound cards with headroom first, then the image and the links, then the
   * least fragmentation, then nodes without idle cards, then the links among the remaining cards.
   */
  public static Policy prescale(Fragmentation fragmentation, LinkedCards linkedCards) {
    var health = new CardHealth();
    var headroom = new Headroom();
    var gradient = new LeastFragmentation(fragmentation);
    var remaining = new RemainingLinks(linkedCards);
    return new Policy(
        "prescale",
        new Level(
            List.of(health, headroom, new ImagePresence(), new LinkQuality()),
            List.of(gradient, new NoIdleCard(), remaining)),
        new Level(List.of(health, headroom), List.of(gradient, remaining)));
  }

  /** The preferences among nodes for requests of a shape. */
  public List<Preference> nodesFor(RequestShape shape) {
    return nodes.with(shape.packing().nodes(), new NodePacking(false), new NodePacking(true));
  }

  /** The preferences among the cards of a node for requests of a shape. */
  public List<Preference> cardsFor(RequestShape shape) {
    return cards.with(shape.packing().cards(), new CardPacking(false), new CardPacking(true));
  }
}
