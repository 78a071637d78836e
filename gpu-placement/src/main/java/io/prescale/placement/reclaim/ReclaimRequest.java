package io.prescale.placement.reclaim;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.queue.ReclaimBudget;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests of one queue that want places now, all or none.
 *
 * @param requests at least one, of one queue and gang and of equal priority
 * @param budget what may be taken from other queues; without it only pods of lower priority are
 *     evicted, whatever their queue
 * @param gangMinimum how many pods a gang needs to go on; one that is not named needs all it has
 */
public record ReclaimRequest(
    List<GpuRequest> requests, Optional<ReclaimBudget> budget, Map<String, Integer> gangMinimum) {
  public ReclaimRequest {
    requests = List.copyOf(requests);
    gangMinimum = Map.copyOf(gangMinimum);
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("a claim has no requests; give one or more");
    }
    if (requests.stream().map(GpuRequest::standing).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "the requests of the claim by %s differ in queue, priority or gang; make a claim of each"
              .formatted(requests.getFirst().name()));
    }
    gangMinimum.forEach(
        (gang, minimum) -> {
          if (minimum < 0) {
            throw new IllegalArgumentException(
                "gang %s needs %d pods; give 0 or more".formatted(gang, minimum));
          }
        });
  }

  /** A claim of one pod on others of lower priority. */
  public static ReclaimRequest of(GpuRequest request) {
    return new ReclaimRequest(List.of(request), Optional.empty(), Map.of());
  }

  /** The claim against what other queues owe. */
  public ReclaimRequest within(ReclaimBudget newBudget) {
    return new ReclaimRequest(requests, Optional.of(newBudget), gangMinimum);
  }

  public ReclaimRequest withGangMinimum(Map<String, Integer> newGangMinimum) {
    return new ReclaimRequest(requests, budget, newGangMinimum);
  }
}
