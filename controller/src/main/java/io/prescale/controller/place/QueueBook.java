package io.prescale.controller.place;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.queue.FairShares;
import io.prescale.placement.queue.QueueLedger;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.QuotaCheck;
import io.prescale.placement.queue.ReclaimBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What each queue uses and asks for while pods come and go, in thousandths of a card: of each card
 * the larger part of compute and memory. Mutable, for one thread.
 */
final class QueueBook {
  private final QueueTree tree;
  private final ClusterSnapshot cluster;
  private final long capacityMilli;
  private final Map<String, Long> asked = new HashMap<>();
  private final Map<String, Long> used = new HashMap<>();
  private final Map<String, Long> firm = new HashMap<>();

  /** Creates a book with what is placed on the cluster. */
  QueueBook(QueueTree tree, ClusterSnapshot cluster) {
    this.tree = tree;
    this.cluster = cluster;
    capacityMilli =
        cluster
            .nodes()
            .flatMap(node -> node.spec().gpus().stream())
            .mapToLong(gpu -> gpu.computeMilli())
            .sum();
    cluster
        .placements()
        .forEach(
            placement -> {
              asked.merge(queueOf(placement), milliOf(placement), Long::sum);
              take(placement);
            });
  }

  /** Counts what a request asks for, placed or not. */
  void ask(GpuRequest request) {
    asked.merge(request.standing().queue(), milliOf(request), Long::sum);
  }

  void take(Placement placement) {
    add(placement, milliOf(placement), used, firm);
  }

  void giveBack(Placement placement) {
    add(placement, -milliOf(placement), used, firm);
  }

  private static void add(
      Placement placement, long milli, Map<String, Long> all, Map<String, Long> firmly) {
    all.merge(queueOf(placement), milli, Long::sum);
    if (!placement.request().standing().preemptible()) {
      firmly.merge(queueOf(placement), milli, Long::sum);
    }
  }

  /** The bound that placements would pass together, if any. */
  Optional<QuotaCheck.Exceeded> passedBound(List<Placement> placements) {
    var shares = shares();
    var claimed = new HashMap<>(used);
    var claimedFirmly = new HashMap<>(firm);
    for (var placement : placements) {
      long milli = milliOf(placement);
      var check =
          QueueLedger.of(shares, claimed, claimedFirmly)
              .check(queueOf(placement), milli, placement.request().standing().preemptible());
      if (check instanceof QuotaCheck.Exceeded exceeded) {
        return Optional.of(exceeded);
      }
      add(placement, milli, claimed, claimedFirmly);
    }
    return Optional.empty();
  }

  /** The queue to serve next of those that have pods waiting. */
  Optional<String> next(List<String> waiting) {
    return ledger().next(waiting);
  }

  /** What requests of one queue may take back from others. */
  ReclaimBudget budgetOf(List<GpuRequest> requests) {
    long milli = requests.stream().mapToLong(this::milliOf).sum();
    return ledger().reclaimFor(requests.getFirst().standing().queue(), milli);
  }

  private QueueLedger ledger() {
    return QueueLedger.of(shares(), used, firm);
  }

  private FairShares shares() {
    return FairShares.of(tree, capacityMilli, asked);
  }

  /** What a request would take of cards like the first one in the cluster that can serve it. */
  private long milliOf(GpuRequest request) {
    var shape = request.shape();
    return cluster
        .nodes()
        .flatMap(node -> node.spec().gpus().stream())
        .filter(gpu -> shape.cards().accepts(gpu) && gpu.canServe(shape.demand()))
        .findFirst()
        .map(gpu -> (long) shape.gpus() * gpu.milliFor(shape.demand()))
        .orElse(0L);
  }

  private long milliOf(Placement placement) {
    return cluster.find(placement.node()).orElseThrow().milliOf(placement);
  }

  private static String queueOf(Placement placement) {
    return placement.request().standing().queue();
  }
}
