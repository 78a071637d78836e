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
import io.prescale.placement.queue.FairShares;
import io.prescale.placement.queue.QueueLedger;
import io.prescale.placement.queue.QuotaCheck;
import io.prescale.placement.queue.ReclaimBudget;
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
 * have left, and claims have their places. For one thread.
 */
final class ClusterAhead {
  private final ReclaimView view;
  private final Reclaimer reclaimer = new Reclaimer(new LinkedCards());
  private final Map<String, Placement> placements = new HashMap<>();
  private final Map<String, Placement> left = new HashMap<>();
  private final Map<String, Long> used;
  private final FairShares shares;

  /** What queues would be owed of cards that the cluster lacks. */
  private final Map<String, Long> beyond = new HashMap<>();

  private ClusterSnapshot cluster;

  /** Empty once what it was made of has changed. */
  private Optional<QueueLedger> ledger = Optional.empty();

  ClusterAhead(ReclaimView view) {
    this.view = view;
    used = new HashMap<>(view.used());
    shares = FairShares.of(view.tree(), view.capacityMilli(), view.demand());
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

  /** Removes a pod that leaves. */
  void leave(CardHolder holder) {
    var placement = placements.remove(holder.uid());
    if (placement != null) {
      long milli = milliOf(placement);
      used.computeIfPresent(holder.queue(), (_, before) -> before - milli);
      ledger = Optional.empty();
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
      used.merge(holder.queue(), milliOf(back), Long::sum);
      ledger = Optional.empty();
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

  /** What a queue has more than its guarantee, of those that have not left. */
  long beyondGuarantee(String queue) {
    return ledger().beyondGuarantee(queue);
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
    used.merge(queue, milli, Long::sum);
    ledger = Optional.empty();
    for (var place : places) {
      cluster = cluster.with(place);
    }
  }

  private QueueLedger ledger() {
    var now = ledger.orElseGet(() -> ledger(shares, used));
    ledger = Optional.of(now);
    return now;
  }

  private static QueueLedger ledger(FairShares owed, Map<String, Long> held) {
    var known = new HashMap<String, Long>();
    held.forEach((queue, milli) -> known.put(queue, Math.max(0, milli)));
    return QueueLedger.of(owed, known, Map.of());
  }

  /** Whether a claim stays within what its queue, and all above it, are owed. */
  boolean isOwed(Claimant claim) {
    return isPossible(claim.queue(), claim.milli())
        && isOwed(ledger(), claim.queue(), claim.milli());
  }

  private static boolean isOwed(QueueLedger ledger, String queue, long milli) {
    return ledger.isWithinShares(queue, milli)
        && ledger.check(queue, milli, true) instanceof QuotaCheck.Within;
  }

  /** Whether a queue can hold work, and the cluster so much. */
  private boolean isPossible(String queue, long milli) {
    return view.tree().isLeaf(queue) && milli <= view.capacityMilli();
  }

  private boolean isPossible(SuspendedWork work) {
    return work.isOf(view.tree()) && work.total() <= view.capacityMilli();
  }

  /** A rule for what a queue gets. */
  private interface Rule {
    boolean permits(QueueLedger ledger, String queue, long milli);
  }

  /** Whether each queue of a suspended workload may have its part beside those of the others. */
  private boolean isWithin(SuspendedWork work, FairShares owed, Rule rule) {
    var with = new HashMap<>(used);
    for (var part : work.milli().entrySet()) {
      if (!rule.permits(ledger(owed, with), part.getKey(), part.getValue())) {
        return false;
      }
      with.merge(part.getKey(), part.getValue(), Long::sum);
    }
    return true;
  }

  /**
   * Whether a claim would be owed its cards if the cluster had as many more, beside those for
   * earlier claims of which that was so.
   */
  boolean isOwedOfMore(Claimant claim) {
    if (!view.tree().isLeaf(claim.queue())) {
      return false;
    }
    long more = claim.milli() + beyond.values().stream().mapToLong(Long::longValue).sum();
    var then = FairShares.of(view.tree(), view.capacityMilli() + more, view.demand());
    var known = new HashMap<>(beyond);
    used.forEach((queue, milli) -> known.merge(queue, Math.max(0, milli), Long::sum));
    boolean isOwed = isOwed(QueueLedger.of(then, known, Map.of()), claim.queue(), claim.milli());
    if (isOwed) {
      beyond.merge(claim.queue(), claim.milli(), Long::sum);
    }
    return isOwed;
  }

  /** Whether a suspended workload stays within the limits of its queues and all above them. */
  boolean mayHave(SuspendedWork work) {
    return isPossible(work)
        && isWithin(
            work,
            shares,
            (then, queue, milli) -> then.check(queue, milli, true) instanceof QuotaCheck.Within);
  }

  /** Whether a suspended workload stays within the guarantees of its queues and all above them. */
  boolean isGuaranteed(SuspendedWork work) {
    return isPossible(work)
        && isWithin(
            work,
            shares,
            (then, queue, milli) -> then.check(queue, milli, false) instanceof QuotaCheck.Within);
  }

  /** Whether a suspended workload is owed its cards once it asks for them again. */
  boolean isOwed(SuspendedWork work) {
    if (!isPossible(work)) {
      return false;
    }
    var demand = new HashMap<>(view.demand());
    work.milli().forEach((queue, milli) -> demand.merge(queue, milli, Long::sum));
    var then = FairShares.of(view.tree(), view.capacityMilli(), demand);
    return isWithin(work, then, ClusterAhead::isOwed);
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
    ReclaimBudget budget = ledger().reclaimFor(claim.queue(), claim.milli());
    var request =
        new ReclaimRequest(
            claim.requests(), Optional.of(budget), view.gangMinimum(), pauseCosts, view.lasting());
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
