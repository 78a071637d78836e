package io.prescale.placement.ledger;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.inventory.Families;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A card and the parts of it that pods have.
 *
 * @param usable whether it may be given to new pods
 */
public record CardUse(String node, String uuid, boolean usable, List<Part> parts) {
  public CardUse {
    parts = List.copyOf(parts);
  }

  /**
   * A part of a card.
   *
   * @param holder the name of the request
   * @param milli thousandths of the card: the larger of the parts of its compute and its memory
   */
  public record Part(String holder, long milli) {}

  /** All parts together, in thousandths of the card. */
  public long milli() {
    return parts.stream().mapToLong(Part::milli).sum();
  }

  /** A copy with the holders renamed. */
  public CardUse withHolders(UnaryOperator<String> names) {
    return new CardUse(
        node,
        uuid,
        usable,
        parts.stream().map(part -> new Part(names.apply(part.holder()), part.milli())).toList());
  }

  /** Every card of a cluster. */
  public static List<CardUse> of(ClusterSnapshot cluster) {
    var uses = new ArrayList<CardUse>();
    cluster.nodes().forEach(node -> add(node, uses));
    return uses;
  }

  private static void add(GpuNode node, List<CardUse> uses) {
    var parts = new ArrayList<List<Part>>();
    for (int card = 0; card < node.cards(); card++) {
      parts.add(new ArrayList<>());
    }
    for (var placement : node.placements()) {
      for (var share : placement.shares()) {
        var gpu = node.gpu(share.card());
        parts.get(share.card()).add(new Part(placement.request().name(), gpu.milliOf(share)));
      }
    }
    for (int card = 0; card < node.cards(); card++) {
      var gpu = node.gpu(card);
      boolean usable =
          gpu.health().state() == GpuHealth.State.USABLE && !Families.areOnlyRead(gpu.vendor());
      uses.add(new CardUse(node.name(), gpu.uuid(), usable, parts.get(card)));
    }
  }
}
