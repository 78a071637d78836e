package io.prescale.placement.cluster;

import java.util.List;

/** Where a request is put: the node, and what it takes of each of its cards. */
public record Placement(GpuRequest request, String node, List<GpuShare> shares) {
  public Placement {
    shares = List.copyOf(shares);
    if (shares.size() != request.shape().gpus()) {
      throw new IllegalArgumentException(
          "%s asks %d GPUs and is given %d"
              .formatted(request.name(), request.shape().gpus(), shares.size()));
    }
    if (shares.stream().mapToInt(GpuShare::card).distinct().count() != shares.size()) {
      throw new IllegalArgumentException(request.name() + " is given one card twice");
    }
  }
}
