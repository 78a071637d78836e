package io.prescale.placement.notice;

import static java.util.stream.Collectors.toSet;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.reclaim.ReclaimRequest;
import io.prescale.placement.reclaim.ReclaimResult;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import io.prescale.placement.reclaim.Reclaimer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The cluster as it will be once everything that was decided has happened: pods that are leaving
 * have left, and claims have their places. Not thread-safe.
 */
final class ClusterAhead {
  private final ReclaimView view;
  private final Reclaimer reclaimer = new Reclaimer(new LinkedCards());
  private final Map<String, Placement> placements = new HashMap<>();
  private final Map<String, Placement> left = new HashMap<>();
  private final QueuesAhead queues;
  private ClusterSnapshot cluster;

  ClusterAhead(ReclaimView view) {
    this.view = view;
    queues = new QueuesAhead(view);
    cluster = view.cluster();
    for (var placement : view.cluster().placements().toList()) {
      replace(placement, false);
    }
  }

  /** Restates whose a placement is, as far as the search for victims looks at it. */
  private void replace(Placement placement, boolean preemptible) {
    var request = placement.request();
    var holder = view.holders().get(request.name());
    var priority = request.standing().priority();
    var standing =
        holder == null
            ? new Standing("", priority, false, Optional.empty())
            : new Standing(holder.queue(), priority, preemptible, holder.gang());
    var restated =
        new Placement(
            new GpuRequest(request.name(), request.shape(), standing),
            placement.node(),
            placement.shares());
    cluster = cluster.without(placement).with(restated);
    placements.put(request.name(), restated);
  }

  /** What queues will have. */
  QueuesAhead queues() {
    return queues;
  }

  /** Removes a pod that leaves. */
  void leave(CardHolder holder) {
    var placement = placements.remove(holder.uid());
    if (placement != null) {
      queues.hold(holder.queue(), -milliOf(placement));
      cluster = cluster.without(placement);
      left.put(holder.uid(), placement);
    }
  }

  /** Puts a pod that was to leave back on its cards, which are free still. */
  void stay(CardHolder holder) {
    stayBeside(holder, Set.of());
  }

  /** Puts a pod that was to leave back on those of its cards that are not given to others. */
  void stayBeside(CardHolder holder, Set<String> given) {
    var placement = left.remove(holder.uid());
    if (placement == null) {
      return;
    }
    var rest = placement.shares().stream().filter(it -> !given.contains(it.uuid())).toList();
    if (!rest.isEmpty()) {
      var back = onlyOn(placement, rest);
      cluster = cluster.with(back);
      placements.put(holder.uid(), back);
      queues.hold(holder.queue(), milliOf(back));
    }
  }

  private static Placement onlyOn(Placement placement, List<GpuShare> shares) {
    if (shares.size() == placement.shares().size()) {
      return placement;
    }
    var request = placement.request();
    var standing = request.standing();
    var part = Placement.observed(request.name(), standing.priority(), placement.node(), shares);
    return new Placement(
        new GpuRequest(request.name(), part.request().shape(), standing), placement.node(), shares);
  }

  /** Where a pod is that has not left. */
  Optional<Placement> placementOf(CardHolder holder) {
    return Optional.ofNullable(placements.get(holder.uid()));
  }

  /** How many pods a gang has that have not left, beyond those that it needs. */
  int spare(String gang) {
    long staying =
        placements.values().stream()
            .filter(it -> it.request().standing().gang().filter(gang::equals).isPresent())
            .count();
    return (int) staying - view.gangMinimum().getOrDefault(gang, (int) staying);
  }

  private long milliOf(Placement placement) {
    return cluster.find(placement.node()).orElseThrow().milliOf(placement);
  }

  /** Puts pods on their places. */
  void arrive(String queue, long milli, List<Placement> places) {
    queues.expect(queue, milli);
    for (var place : places) {
      cluster = cluster.with(place);
    }
  }

  /** Places a claim, at the cost of some of these pods if it must be. */
  Optional<Reclaimed> search(Claimant claim, Collection<CardHolder> evictable) {
    var before = cluster;
    var pauseCosts = new HashMap<String, Duration>();
    for (var holder : evictable) {
      pauseCosts.put(holder.uid(), holder.pauseCost());
      var placement = placements.get(holder.uid());
      if (placement != null) {
        replace(placement, true);
      }
    }
    var request =
        new ReclaimRequest(
            claim.requests(),
            Optional.of(queues.budget(claim)),
            view.gangMinimum(),
            pauseCosts,
            view.lasting());
    var result = reclaimer.decide(among(claim.nodes().orElse(Set.of())), request);
    cluster = before;
    return found(result);
  }

  /** Whether there is room for a suspended workload. */
  boolean hasRoom(SuspendedWork work) {
    var requests = Claimant.requests(work.key(), work.queue(), work.shapes());
    var request = new ReclaimRequest(requests, Optional.empty(), Map.of());
    return found(reclaimer.decide(cluster, request)).isPresent();
  }

  /** The names of all nodes. */
  Set<String> nodes() {
    return cluster.nodes().map(GpuNode::name).collect(toSet());
  }

  private static Optional<Reclaimed> found(ReclaimResult result) {
    return result instanceof Reclaimed reclaimed ? Optional.of(reclaimed) : Optional.empty();
  }

  /** The cluster with the other nodes closed; what is on them remains part of its gangs. */
  private ClusterSnapshot among(Set<String> open) {
    var closed =
        cluster
            .nodes()
            .map(
                node ->
                    open.contains(node.name())
                        ? node
                        : node.withSpec(node.spec().withReadiness(Readiness.CORDONED)));
    return ClusterSnapshot.ofNodes(closed.toList());
  }
}
