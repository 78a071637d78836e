package io.prescale.placement.moves;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a round sees.
 *
 * @param cluster as the ledger has it
 * @param residents pods with cards, by UID
 * @param nodes where a pod may be, by UID; one that is not listed may be anywhere
 * @param gangMinimum how many pods a gang needs to go on
 * @param wanted pods without room that no queue holds back
 * @param waiting all pods that wait, by UID
 * @param strays pods with a notice that makes no sense
 * @param refused pods whose eviction has been refused for long
 * @param sick cards that have been sick for long enough
 * @param closed cards that are kept for others
 * @param workload by which fragmentation is measured
 */
public record MoveView(
    ClusterSnapshot cluster,
    Map<String, Resident> residents,
    Map<String, Set<String>> nodes,
    Map<String, Integer> gangMinimum,
    List<WantingPod> wanted,
    Set<String> waiting,
    Set<String> strays,
    Set<String> refused,
    Set<String> sick,
    Set<String> closed,
    TargetWorkload workload,
    Terms terms,
    Course course) {

  /**
   * What is permitted now.
   *
   * @param isOpen whether moves other than those off sick cards may begin
   * @param left how many more moves may begin within the hour
   * @param interval between two looks at fragmentation
   */
  public record Terms(Mode mode, boolean isOpen, int left, Duration interval) {
    public Terms {
      if (interval.isNegative() || interval.isZero()) {
        throw new IllegalArgumentException(
            "an interval of %s; give more than 0".formatted(interval));
      }
    }
  }

  public MoveView {
    residents = Map.copyOf(residents);
    nodes = Map.copyOf(nodes);
    gangMinimum = Map.copyOf(gangMinimum);
    wanted = List.copyOf(wanted);
    waiting = Set.copyOf(waiting);
    strays = Set.copyOf(strays);
    refused = Set.copyOf(refused);
    sick = Set.copyOf(sick);
    closed = Set.copyOf(closed);
  }

  /** The same with another cluster, and with other pods in it. */
  MoveView with(ClusterSnapshot newCluster, Map<String, Resident> newResidents) {
    return new MoveView(
        newCluster,
        newResidents,
        nodes,
        gangMinimum,
        wanted,
        waiting,
        strays,
        refused,
        sick,
        closed,
        workload,
        terms,
        course);
  }
}
