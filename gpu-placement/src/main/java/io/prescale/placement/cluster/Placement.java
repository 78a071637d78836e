package io.prescale.placement.cluster;

import io.prescale.placement.topology.CardSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The place of a request: the node, and the share that it takes of each of its cards. A card occurs
 * only once, except for several MIG instances of it.
 */
public record Placement(GpuRequest request, String node, List<GpuShare> shares) {
  public Placement {
    shares = List.copyOf(shares);
    if (shares.size() != request.shape().gpus()) {
      throw new IllegalArgumentException(
          "%s asks %d GPUs and is given %d"
              .formatted(request.name(), request.shape().gpus(), shares.size()));
    }
    if (shares.stream().map(Place::of).distinct().count() != shares.size()) {
      throw new IllegalArgumentException(request.name() + " is given one card twice");
    }
  }

  /**
   * The place of a pod or claim of which only the shares are known: its demand is a share like its
   * first.
   *
   * @param shares at least one
   */
  public static Placement observed(
      String request, int priority, String node, List<GpuShare> shares) {
    var first = shares.getFirst();
    var demand =
        new GpuDemand.Share(
            Math.min(first.computeMilli(), Gpu.WHOLE_MILLI), Math.max(1, first.memoryMib()));
    var shape = RequestShape.of(shares.size(), demand);
    return new Placement(
        new GpuRequest(request, shape, Standing.preemptible(priority)), node, shares);
  }

  /**
   * A request on some cards of a node: a share of each, and of cards in MIG mode further instances
   * while the request asks for more; empty where there is no room for all.
   */
  public static Optional<Placement> on(GpuNode node, GpuRequest request, CardSet cards) {
    int gpus = request.shape().gpus();
    var shares = new ArrayList<GpuShare>(gpus);
    for (int rest = cards.bits(); rest != 0; rest &= rest - 1) {
      int further = gpus - shares.size() - Integer.bitCount(rest);
      int card = Integer.numberOfTrailingZeros(rest);
      shares.addAll(node.shares(card, request.shape().demand(), 1 + further));
    }
    return shares.size() == gpus
        ? Optional.of(new Placement(request, node.name(), shares))
        : Optional.empty();
  }

  /** Its cards, by UUID. */
  public Set<String> uuids() {
    return shares.stream().map(GpuShare::uuid).collect(Collectors.toSet());
  }

  private record Place(int card, Optional<MigSlot> mig) {
    static Place of(GpuShare share) {
      return new Place(share.card(), share.mig());
    }
  }
}
