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
public record Wanted(GpuRequest request, Set<String> nodes, Instant since) {
  /** The more important first, then those that wait longer. */
  static final Comparator<Wanted> ORDER =
      Comparator.comparingInt((Wanted it) -> -it.request().standing().priority())
          .thenComparing(Wanted::since)
          .thenComparing(it -> it.request().name());

  public Wanted {
    nodes = Set.copyOf(nodes);
  }

  /** The UID of the pod. */
  public String uid() {
    return request.name();
  }
}
