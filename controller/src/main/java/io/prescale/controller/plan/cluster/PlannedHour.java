package io.prescale.controller.plan.cluster;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.controller.scheduler.reclaim.ReclaimPreview.Leaving;
import io.prescale.controller.scheduler.whatif.Trial;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What fits at one time, when every group has what it needs then, by production placement.
 *
 * @param cluster without what has ended by then, and without replicas that are not needed
 * @param running how many replicas of each group that have their places stay
 * @param now the time that queues go by
 */
record PlannedHour(
    ClusterObjects cluster, List<ShapeGroup> groups, List<Integer> running, Instant now) {
  /** Replicas of a group that are tried beyond those that run. */
  private static final int MOST_TRIED = 500;

  /**
   * A group at the time.
   *
   * @param fits replicas that have a place
   * @param askedFit how many more would have one
   * @param asked if these left
   */
  record Fit(int fits, int askedFit, Set<Leaving> asked) {}

  /** What fits of the need of each group, in their order. */
  static List<Fit> fits(
      ClusterObjects cluster, List<ShapeGroup> groups, List<Integer> needs, Instant now) {
    var running = new ArrayList<Integer>();
    var gone = new HashSet<String>();
    for (int i = 0; i < groups.size(); i++) {
      var group = groups.get(i);
      int need = needs.get(i);
      var bound = cluster.of(Pod.class).filter(group::has).filter(PlannedHour::isBound).toList();
      int replicas = bound.size() / group.podsEach();
      running.add(Math.min(replicas, need));
      bound.stream()
          .sorted(Comparator.comparing(PlannedHour::created).reversed())
          .limit(group.podsEach() == 1 ? Math.max(0, replicas - need) : 0)
          .forEach(pod -> gone.add(pod.getMetadata().getUid()));
    }
    var then =
        cluster.withoutPods(
            pod ->
                gone.contains(pod.getMetadata().getUid())
                    || (!isBound(pod) && groups.stream().anyMatch(it -> it.has(pod))));
    return new PlannedHour(then, groups, running, now).fits(needs);
  }

  /** The cluster without the pods that have ended by a time. */
  static ClusterObjects at(ClusterObjects cluster, Map<String, Instant> ends, Instant time) {
    var ended =
        ends.entrySet().stream()
            .filter(end -> !end.getValue().isAfter(time))
            .map(Map.Entry::getKey)
            .collect(toSet());
    return ended.isEmpty()
        ? cluster
        : cluster.withoutPods(pod -> ended.contains(pod.getMetadata().getUid()));
  }

  /** Replicas of a group that have their places now. */
  static int running(ClusterObjects cluster, ShapeGroup group) {
    long bound = cluster.of(Pod.class).filter(group::has).filter(PlannedHour::isBound).count();
    return (int) bound / group.podsEach();
  }

  private static boolean isBound(Pod pod) {
    return pod.getSpec().getNodeName() != null;
  }

  private static String created(Pod pod) {
    return String.valueOf(pod.getMetadata().getCreationTimestamp());
  }

  private List<Fit> fits(List<Integer> needs) {
    var pods = new ArrayList<Pod>();
    var begins = new ArrayList<Integer>();
    for (int i = 0; i < groups.size(); i++) {
      begins.add(pods.size());
      int more = Math.min(MOST_TRIED, needs.get(i) - running.get(i));
      pods.addAll(groups.get(i).further("p" + i, more));
    }
    begins.add(pods.size());
    var results = Trial.of(cluster, cluster.ledger(), pods, now).pods();
    var fits = new ArrayList<Fit>();
    for (int i = 0; i < groups.size(); i++) {
      var own = new Trial(results.subList(begins.get(i), begins.get(i + 1)), List.of());
      fits.add(fit(own.replicas(groups.get(i).podsEach()), running.get(i)));
    }
    return fits;
  }

  private static Fit fit(List<List<Trial.Result>> replicas, int running) {
    int placed = running;
    int asking = 0;
    var asked = new LinkedHashSet<Leaving>();
    for (var replica : replicas) {
      var waiting = replica.stream().map(Trial.Result::outcome).filter(it -> it.isWaiting());
      var leaving = waiting.map(PlannedHour::asked).toList();
      if (leaving.isEmpty()) {
        placed++;
      } else if (leaving.stream().noneMatch(List::isEmpty)) {
        asking++;
        leaving.forEach(asked::addAll);
      }
    }
    return new Fit(placed, asking, asked);
  }

  private static List<Leaving> asked(Trial.Outcome outcome) {
    return outcome instanceof Trial.Waits(_, var asked) ? asked : List.of();
  }
}
