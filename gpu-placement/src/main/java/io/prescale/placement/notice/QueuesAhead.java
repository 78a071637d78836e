package io.prescale.placement.notice;

import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.FairShares;
import io.prescale.placement.queue.QueueLedger;
import io.prescale.placement.queue.QuotaCheck;
import io.prescale.placement.queue.ReclaimBudget;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What queues will have once everything that was decided has happened. Not thread-safe. */
final class QueuesAhead {
  private final ReclaimView view;
  private final FairShares shares;

  /** With what is offered, and what claims will get. */
  private final Map<String, Long> used;

  /** Only what pods have that have not left: an offer or a claim may come to nothing. */
  private final Map<String, Long> held = new HashMap<>();

  /** What queues would be owed of cards that the cluster lacks. */
  private final Map<String, Long> beyond = new HashMap<>();

  /** Empty once what it was made of has changed. */
  private Optional<QueueLedger> ledger = Optional.empty();

  QueuesAhead(ReclaimView view) {
    this.view = view;
    used = new HashMap<>(view.used());
    shares = FairShares.of(view.tree(), view.capacity(), view.demand());
    view.holders().values().stream()
        .filter(it -> view.tree().isLeaf(it.queue()))
        .forEach(it -> held.merge(it.queue(), it.milli(), Long::sum));
  }

  /** Adds what a pod of a queue has that stays after all, or subtracts what one has that leaves. */
  void hold(String queue, long milli) {
    used.computeIfPresent(queue, (_, before) -> before + milli);
    held.computeIfPresent(queue, (_, before) -> before + milli);
    ledger = Optional.empty();
  }

  /** Adds what a claim of a queue will get. */
  void expect(String queue, long milli) {
    used.merge(queue, milli, Long::sum);
    ledger = Optional.empty();
  }

  /** What a queue has more than its guarantee, of those that have not left. */
  long beyondGuarantee(String queue) {
    return ledger().beyondGuarantee(queue);
  }

  /** What may be taken from other queues for a claim. */
  ReclaimBudget budget(Claimant claim) {
    return ledger().reclaimFor(claim.queue(), claim.milli());
  }

  private QueueLedger ledger() {
    var now = ledger.orElseGet(() -> ledger(shares, used).withHeld(positive(held)));
    ledger = Optional.of(now);
    return now;
  }

  private static QueueLedger ledger(FairShares owed, Map<String, Long> used) {
    return QueueLedger.of(owed, positive(used), Map.of());
  }

  private static Map<String, Long> positive(Map<String, Long> amounts) {
    var known = new HashMap<>(amounts);
    known.replaceAll((_, milli) -> Math.max(0, milli));
    return known;
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
    return view.tree().isLeaf(queue)
        && milli <= view.capacity().getOrDefault(view.tree().poolOf(queue), 0L);
  }

  private boolean isPossible(SuspendedWork work) {
    return work.isOf(view.tree())
        && inPools(work.milli()).entrySet().stream()
            .allMatch(it -> it.getValue() <= view.capacity().getOrDefault(it.getKey(), 0L));
  }

  private Map<CardPool, Long> inPools(Map<String, Long> amounts) {
    var pools = new HashMap<CardPool, Long>();
    amounts.forEach((queue, milli) -> pools.merge(view.tree().poolOf(queue), milli, Long::sum));
    return pools;
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
    var more = inPools(beyond);
    more.merge(view.tree().poolOf(claim.queue()), claim.milli(), Long::sum);
    view.capacity().forEach((pool, milli) -> more.merge(pool, milli, Long::sum));
    var then = FairShares.of(view.tree(), more, view.demand());
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
    var then = FairShares.of(view.tree(), view.capacity(), demand);
    return isWithin(work, then, QueuesAhead::isOwed);
  }
}
