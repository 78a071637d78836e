package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.Standing;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rules for moves. A pod stays if it is not preemptible, or if its gang would fall below its
 * minimum meanwhile.
 *
 * @param nodes where a request may be; one that is not listed may be anywhere
 * @param gangMinimum how many pods a gang needs to continue; a gang not listed needs all it has
 * @param mostMoves maximum number of moves in a plan
 * @param leastGainPercent minimum gain of a move that only lowers fragmentation, in percent of the
 *     GPU that it interrupts
 */
public record MoveRules(
    Map<String, Set<String>> nodes,
    Map<String, Integer> gangMinimum,
    int mostMoves,
    int leastGainPercent) {
  private static final int USUAL_GAIN_PERCENT = 10;

  public MoveRules {
    nodes = Map.copyOf(nodes);
    gangMinimum = Map.copyOf(gangMinimum);
    if (mostMoves < 0 || leastGainPercent < 0) {
      throw new IllegalArgumentException(
          "a plan of at most %d moves that gain %d percent; give 0 or more of both"
              .formatted(mostMoves, leastGainPercent));
    }
  }

  /** Rules with complete gangs and a gain of 10 percent. */
  public static MoveRules atMost(int moves) {
    return new MoveRules(Map.of(), Map.of(), moves, USUAL_GAIN_PERCENT);
  }

  public MoveRules withGangMinimum(Map<String, Integer> minimum) {
    return new MoveRules(nodes, minimum, mostMoves, leastGainPercent);
  }

  public MoveRules withNodes(Map<String, Set<String>> newNodes) {
    return new MoveRules(newNodes, gangMinimum, mostMoves, leastGainPercent);
  }

  /** The nodes where a request may be; empty when it may be anywhere. */
  Optional<Set<String>> nodesOf(GpuRequest request) {
    return Optional.ofNullable(nodes.get(request.name()));
  }

  /** Whether a request may be on a node. */
  boolean mayBe(GpuRequest request, GpuNode node) {
    return nodesOf(request).map(open -> open.contains(node.name())).orElse(true);
  }

  /** The number of pods that each gang can spare. */
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
    return standing.preemptible()
        && standing.gang().map(gang -> spare.getOrDefault(gang, 0) > 0).orElse(true);
  }
}
