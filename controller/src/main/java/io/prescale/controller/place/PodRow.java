package io.prescale.controller.place;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.overcommit.MemoryUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A pod of a file.
 *
 * @param gangScope how near each other the members of its gang must be
 * @param gangMinimum how many of them are enough to go on; all if empty
 * @param created seconds from the start of the trace
 * @param deleted likewise; never before {@code created}
 * @param place where it runs already; empty when it waits
 * @param memoryUsage what it was observed to use of the memory of its card
 */
public record PodRow(
    GpuRequest request,
    NetworkScope gangScope,
    OptionalInt gangMinimum,
    OptionalLong created,
    OptionalLong deleted,
    Optional<Place> place,
    Optional<MemoryUsage> memoryUsage) {

  /**
   * Where a pod runs.
   *
   * @param cards indices of its cards
   * @param migSlices the first slice of its MIG instance on each card; empty without MIG
   */
  public record Place(String node, List<Integer> cards, List<Integer> migSlices) {
    public Place {
      cards = List.copyOf(cards);
      migSlices = List.copyOf(migSlices);
    }
  }

  /** How many pods each gang needs to go on: the largest number that a member names. */
  public static Map<String, Integer> gangMinimum(List<PodRow> pods) {
    var minimum = new HashMap<String, Integer>();
    for (var pod : pods) {
      var gang = pod.request().standing().gang();
      if (gang.isPresent() && pod.gangMinimum().isPresent()) {
        minimum.merge(gang.get(), pod.gangMinimum().getAsInt(), Math::max);
      }
    }
    return minimum;
  }
}
