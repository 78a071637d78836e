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

  private record Place(int card, Optional<MigSlot> mig) {
    static Place of(GpuShare share) {
      return new Place(share.card(), share.mig());
    }
  }
}
