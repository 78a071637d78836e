package io.prescale.placement.reclaim;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.queue.ReclaimBudget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The requests of one queue that are to be placed now, all or none.
 *
 * @param requests at least one, of one queue and gang and of equal priority
 * @param budget what may be taken from other queues; without it only pods of lower priority are
 *     evicted, whatever their queue
 * @param gangMinimum how many pods a gang needs to go on; a gang that is not named needs all of its
 *     pods
 * @param pauseCosts what the pause of a pod costs beyond its length, by the name of its request;
 *     nothing for a pod that is not named
 * @param lasting gangs that never end: only the pods beyond their minimum leave
 */
public record ReclaimRequest(
    List<GpuRequest> requests,
    Optional<ReclaimBudget> budget,
    Map<String, Integer> gangMinimum,
    Map<String, Duration> pauseCosts,
    Set<String> lasting) {
  public ReclaimRequest {
    requests = List.copyOf(requests);
    gangMinimum = Map.copyOf(gangMinimum);
    pauseCosts = Map.copyOf(pauseCosts);
    lasting = Set.copyOf(lasting);
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("nothing is to be reclaimed; give one request or more");
    }
    if (requests.stream().map(GpuRequest::standing).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "the requests beside %s differ in queue, priority or gang; reclaim for each alone"
              .formatted(requests.getFirst().name()));
    }
    gangMinimum.forEach(
        (gang, minimum) -> {
          if (minimum < 0) {
            throw new IllegalArgumentException(
                "gang %s needs %d pods; give 0 or more".formatted(gang, minimum));
          }
        });
    pauseCosts.forEach(
        (pod, cost) -> {
          if (cost.isNegative()) {
            throw new IllegalArgumentException(
                "the pause of %s costs %s; give 0 or more".formatted(pod, cost));
          }
        });
  }

  /** A request that may end any gang, where no pause costs more than another. */
  public ReclaimRequest(
      List<GpuRequest> requests, Optional<ReclaimBudget> budget, Map<String, Integer> gangMinimum) {
    this(requests, budget, gangMinimum, Map.of(), Set.of());
  }

  Duration pauseCost(String pod) {
    return pauseCosts.getOrDefault(pod, Duration.ZERO);
  }
}
