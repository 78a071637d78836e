package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.Standing;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What may be moved. A pod that is not preemptible stays, and so does one of a gang that would be
 * below its minimum meanwhile, unless leave is given for it.
 *
 * @param withLeave names of pods that may be moved whatever else holds
 * @param gangMinimum how many pods a gang needs to go on; one that is not named needs all it has
 * @param mostMoves of a plan
 * @param leastGainPercent what a move that only lowers fragmentation has to gain, in percent of the
 *     GPU whose work it interrupts
 */
public record MoveRules(
    Set<String> withLeave, Map<String, Integer> gangMinimum, int mostMoves, int leastGainPercent) {
  private static final int USUAL_GAIN_PERCENT = 10;

  public MoveRules {
    withLeave = Set.copyOf(withLeave);
    gangMinimum = Map.copyOf(gangMinimum);
    if (mostMoves < 0 || leastGainPercent < 0) {
      throw new IllegalArgumentException(
          "a plan of at most %d moves that gain %d percent; give 0 or more of both"
              .formatted(mostMoves, leastGainPercent));
    }
  }

  /** No leave for anybody, gangs need all their pods, and a gain of 10 percent. */
  public static MoveRules atMost(int moves) {
    return new MoveRules(Set.of(), Map.of(), moves, USUAL_GAIN_PERCENT);
  }

  public MoveRules withLeave(Set<String> pods) {
    return new MoveRules(pods, gangMinimum, mostMoves, leastGainPercent);
  }

  public MoveRules withGangMinimum(Map<String, Integer> minimum) {
    return new MoveRules(withLeave, minimum, mostMoves, leastGainPercent);
  }

  public MoveRules withLeastGainPercent(int percent) {
    return new MoveRules(withLeave, gangMinimum, mostMoves, percent);
  }

  /** How many pods each gang has that it could spare. */
  Map<String, Integer> spare(Stream<Placement> placements) {
    Map<String, Integer> sizes = new HashMap<>();
    placements.forEach(
        placement ->
            placement.request().standing().gang().ifPresent(g -> sizes.merge(g, 1, Integer::sum)));
    sizes.replaceAll((gang, size) -> size - gangMinimum.getOrDefault(gang, size));
    return sizes;
  }

  boolean mayMove(Placement placement, Map<String, Integer> spare) {
    Standing standing = placement.request().standing();
    return withLeave.contains(placement.request().name())
        || (standing.preemptible()
            && standing.gang().map(gang -> spare.getOrDefault(gang, 0) > 0).orElse(true));
  }
}
