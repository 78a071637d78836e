package io.prescale.controller.fleet;

import io.prescale.controller.fleet.PodOutcome.Placed;
import io.prescale.controller.fleet.PodOutcome.Refused;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.Gang;
import io.prescale.placement.decision.GangPlacer;
import io.prescale.placement.decision.GangResult;
import io.prescale.placement.decision.PlacementResult;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.Reason;
import io.prescale.placement.queue.FairShares;
import io.prescale.placement.queue.QueueLedger;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.QuotaCheck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places pods one after another in their order; a gang is placed as a whole when its first member
 * comes. For one use by one thread.
 */
public final class FleetRun {
  private final Placer placer;
  private final GangPlacer gangPlacer;
  private final Optional<QueueTree> queues;
  private final Map<String, Long> used = new HashMap<>();
  private final Map<String, Long> firm = new HashMap<>();
  private final long capacityMilli;
  private ClusterSnapshot cluster;

  /**
   * A run that has placed nothing yet.
   *
   * @param queues whose limits hold; none when empty
   */
  public FleetRun(ClusterSnapshot cluster, Placer placer, Optional<QueueTree> queues) {
    this.cluster = cluster;
    this.placer = placer;
    this.gangPlacer = new GangPlacer(placer);
    this.queues = queues;
    this.capacityMilli =
        cluster
            .nodes()
            .flatMap(node -> node.spec().gpus().stream())
            .mapToLong(gpu -> gpu.computeMilli())
            .sum();
  }

  /** Is told after each decision how many pods are decided. */
  @FunctionalInterface
  public interface Progress {
    void decided(int pods, int of);
  }

  /** The outcome of every pod, in their order. */
  public List<PodOutcome> place(List<PodRow> pods, Progress progress) throws InterruptedException {
    var gangs = gangs(pods);
    var outcomes = new HashMap<String, PodOutcome>();
    for (var pod : pods) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!outcomes.containsKey(pod.request().name())) {
        var gang = pod.request().standing().gang().map(gangs::get);
        for (var outcome : gang.map(this::placeGang).orElseGet(() -> List.of(placeAlone(pod)))) {
          outcomes.put(outcome.request().name(), outcome);
        }
        progress.decided(outcomes.size(), pods.size());
      }
    }
    return pods.stream().map(pod -> outcome(outcomes, pod.request())).toList();
  }

  private static PodOutcome outcome(Map<String, PodOutcome> outcomes, GpuRequest request) {
    var outcome = outcomes.get(request.name());
    if (outcome == null) {
      throw new IllegalStateException(request.name() + " was not decided");
    }
    return outcome;
  }

  /** The cluster with what has been placed so far. */
  public ClusterSnapshot cluster() {
    return cluster;
  }

  private static Map<String, Gang> gangs(List<PodRow> pods) {
    var members = new LinkedHashMap<String, List<PodRow>>();
    for (var pod : pods) {
      pod.request()
          .standing()
          .gang()
          .ifPresent(gang -> members.computeIfAbsent(gang, _ -> new ArrayList<>()).add(pod));
    }
    var gangs = new HashMap<String, Gang>();
    members.forEach((name, rows) -> gangs.put(name, gang(name, rows)));
    return gangs;
  }

  /** The narrowest scope that a member asks for holds for the gang. */
  private static Gang gang(String name, List<PodRow> rows) {
    var scope = rows.stream().map(PodRow::gangScope).min(Comparator.naturalOrder()).orElseThrow();
    return new Gang(name, rows.stream().map(PodRow::request).toList(), NetworkScope.NODE, scope);
  }

  private PodOutcome placeAlone(PodRow pod) {
    var request = pod.request();
    return switch (placer.place(cluster, request)) {
      case PlacementResult.Placed placed -> takeWithinQuota(List.of(placed)).getFirst();
      case PlacementResult.Refused refused ->
          new Refused(request, kind(refused), refused.summary(), refused.nodes());
    };
  }

  private List<PodOutcome> placeGang(Gang gang) {
    return switch (gangPlacer.place(cluster, gang)) {
      case GangResult.Whole whole -> takeWithinQuota(whole.members());
      case GangResult.None none ->
          gang.members().stream().map(member -> refusedWithGang(member, none)).toList();
    };
  }

  private static PodOutcome refusedWithGang(GpuRequest member, GangResult.None none) {
    return new Refused(
        member, "its gang: " + kind(none.next()), none.summary(), none.next().nodes());
  }

  private List<PodOutcome> takeWithinQuota(List<PlacementResult.Placed> members) {
    var bound = passedBound(members);
    return bound.isPresent()
        ? members.stream().map(member -> overQuota(member, bound.get())).toList()
        : members.stream().map(this::take).toList();
  }

  private PodOutcome take(PlacementResult.Placed placed) {
    var placement = placed.placement();
    cluster = cluster.with(placement);
    count(placement, used, firm);
    return new Placed(placement, placed.choice());
  }

  private static void count(Placement placement, Map<String, Long> all, Map<String, Long> firmly) {
    var standing = placement.request().standing();
    all.merge(standing.queue(), milliOf(placement), Long::sum);
    if (!standing.preemptible()) {
      firmly.merge(standing.queue(), milliOf(placement), Long::sum);
    }
  }

  private static PodOutcome overQuota(PlacementResult.Placed placed, QuotaCheck.Exceeded bound) {
    var word =
        switch (bound.bound()) {
          case LIMIT -> "limit";
          case GUARANTEED -> "guarantee";
        };
    return new Refused(
        placed.placement().request(),
        "the %s of queue %s".formatted(word, bound.queue()),
        bound.reason(),
        List.of());
  }

  /** The bound that placements of one queue or several would pass together. */
  private Optional<QuotaCheck.Exceeded> passedBound(List<PlacementResult.Placed> members) {
    if (queues.isEmpty()) {
      return Optional.empty();
    }
    var shares = FairShares.of(queues.get(), capacityMilli, used);
    var claimed = new HashMap<>(used);
    var claimedFirmly = new HashMap<>(firm);
    for (var member : members) {
      var standing = member.placement().request().standing();
      var check =
          QueueLedger.of(shares, claimed, claimedFirmly)
              .check(standing.queue(), milliOf(member.placement()), standing.preemptible());
      if (check instanceof QuotaCheck.Exceeded exceeded) {
        return Optional.of(exceeded);
      }
      count(member.placement(), claimed, claimedFirmly);
    }
    return Optional.empty();
  }

  private static String kind(PlacementResult.Refused refused) {
    return refused.counts().entrySet().stream()
        .max(Map.Entry.<Reason, Integer>comparingByValue())
        .map(entry -> "most nodes " + entry.getKey().phrase(2))
        .orElse("there are no nodes");
  }

  private static long milliOf(Placement placement) {
    return placement.shares().stream().mapToLong(GpuShare::computeMilli).sum();
  }
}
