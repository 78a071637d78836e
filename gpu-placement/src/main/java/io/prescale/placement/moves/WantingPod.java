package io.prescale.placement.moves;

import io.prescale.placement.cluster.GpuRequest;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;

/**
 * A pod for which there is no room.
 *
 * @param nodes that the scheduler considers for it
 * @param since when it was created
 */
public record WantingPod(GpuRequest request, Set<String> nodes, Instant since) {
  /** The more important first, then those that wait longer. */
  static final Comparator<WantingPod> ORDER =
      Comparator.comparingInt((WantingPod it) -> -it.request().standing().priority())
          .thenComparing(WantingPod::since)
          .thenComparing(it -> it.request().name());

  public WantingPod {
    nodes = Set.copyOf(nodes);
  }

  /** The UID of the pod. */
  public String uid() {
    return request.name();
  }
}
