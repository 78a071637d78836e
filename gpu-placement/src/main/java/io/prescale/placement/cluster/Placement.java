package io.prescale.placement.cluster;

import java.util.List;
import java.util.Optional;

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

  private record Place(int card, Optional<MigSlot> mig) {
    static Place of(GpuShare share) {
      return new Place(share.card(), share.mig());
    }
  }
}
