package io.prescale.placement.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What queues use and what they are owed. Immutable.
 *
 * <p>Two rules of KAI-Scheduler hold ({@code docs/scheduling-deep-dive/README.md}): work that must
 * not be evicted stays within what is guaranteed, and only what a queue has beyond its due is taken
 * back.
 */
public final class QueueLedger {
  private final QueueTree tree;
  private final FairShares shares;
  private final long[] used;
  private final long[] firm;
  private final long[] held;

  private QueueLedger(FairShares shares, long[] used, long[] firm, long[] held) {
    this.tree = shares.tree();
    this.shares = shares;
    this.used = used;
    this.firm = firm;
    this.held = held;
  }

  /**
   * A ledger of queues without children; those not named use nothing.
   *
   * @param used milli-GPU in use, all of it
   * @param firm the part of it that must not be evicted
   */
  public static QueueLedger of(FairShares shares, Map<String, Long> used, Map<String, Long> firm) {
    var all = shares.tree().totals(used);
    return new QueueLedger(shares, all, shares.tree().totals(firm), all);
  }

  /**
   * The same where work has only a part of what is in use: the rest is offered or expected, and may
   * come to nothing. A queue claims with all of it, and is taken from by what its work has.
   *
   * @param held milli-GPU that work has, by queue without children; at most what is in use
   */
  public QueueLedger withHeld(Map<String, Long> held) {
    var bounded = new HashMap<>(held);
    bounded.replaceAll((queue, milli) -> Math.min(milli, used[tree.leafNumberOf(queue)]));
    return new QueueLedger(shares, used, firm, tree.totals(bounded));
  }

  /** Whether a queue has more than its guarantee. */
  public boolean borrows(String queue) {
    return beyondGuarantee(queue) > 0;
  }

  /** What a queue has more than its guarantee, in milli-GPU; negative if it has less. */
  public long beyondGuarantee(String queue) {
    int number = tree.numberOf(queue);
    return used[number] - tree.quota(number).guaranteed();
  }

  public long used(String queue) {
    return used[tree.numberOf(queue)];
  }

  /** Whether a queue and those above it may take more. */
  public QuotaCheck check(String queue, long milli, boolean preemptible) {
    requireAmount(milli);
    for (int q = tree.leafNumberOf(queue); q != QueueTree.NO_PARENT; q = tree.parent(q)) {
      Quota quota = tree.quota(q);
      if (used[q] + milli > quota.limit()) {
        return new QuotaCheck.Exceeded(
            tree.name(q), QuotaCheck.Bound.LIMIT, used[q] + milli, quota.limit());
      }
      if (!preemptible && firm[q] + milli > quota.guaranteed()) {
        return new QuotaCheck.Exceeded(
            tree.name(q), QuotaCheck.Bound.GUARANTEED, firm[q] + milli, quota.guaranteed());
      }
    }
    return new QuotaCheck.Within();
  }

  /**
   * The queue to serve next: from the top down, one below its guaranteed before one that is not,
   * then the least part of what it is owed, {@code used / share} as KAI and Volcano order queues;
   * of equals the first in the tree.
   *
   * @param waiting queues without children that have work to place
   */
  public Optional<String> next(List<String> waiting) {
    boolean[] open = new boolean[tree.size()];
    for (String queue : waiting) {
      for (int q = tree.leafNumberOf(queue); q != QueueTree.NO_PARENT; q = tree.parent(q)) {
        open[q] = true;
      }
    }
    int chosen = QueueTree.NO_PARENT;
    do {
      int first = QueueTree.NO_PARENT;
      for (int q : tree.childrenOf(chosen)) {
        if (open[q] && (first == QueueTree.NO_PARENT || isBefore(q, first))) {
          first = q;
        }
      }
      if (first == QueueTree.NO_PARENT) {
        return Optional.empty();
      }
      chosen = first;
    } while (!tree.isLeaf(chosen));
    return Optional.of(tree.name(chosen));
  }

  /**
   * The queue that goes before a request which would take a queue, or one above it, beyond what
   * that is owed: a queue beside it whose claim stays within what the claimant and all above it are
   * owed. Such a claim is never behind another, so two queues never wait for each other.
   *
   * @param claims the least request that waits, in milli-GPU, by queue without children
   */
  public Optional<String> owedBefore(String queue, long milli, Map<String, Long> claims) {
    requireAmount(milli);
    boolean[] contested = new boolean[tree.size()];
    boolean beyond = false;
    boolean top = false;
    for (int q = tree.leafNumberOf(queue); q != QueueTree.NO_PARENT; q = tree.parent(q)) {
      if (used[q] + milli > shares.of(q)) {
        beyond = true;
        int parent = tree.parent(q);
        top |= parent == QueueTree.NO_PARENT;
        if (parent != QueueTree.NO_PARENT) {
          contested[parent] = true;
        }
      }
    }
    if (!beyond) {
      return Optional.empty();
    }
    var pool = tree.poolOf(queue);
    List<String> owed = new ArrayList<>();
    for (var claim : claims.entrySet()) {
      int claimant = tree.leafNumberOf(claim.getKey());
      if (!claim.getKey().equals(queue)
          && ((top && tree.pool(claimant).equals(pool)) || isBelow(claimant, contested))
          && isWithinShares(claimant, claim.getValue())) {
        owed.add(claim.getKey());
      }
    }
    return next(owed);
  }

  private boolean isBelow(int leaf, boolean[] any) {
    for (int q = tree.parent(leaf); q != QueueTree.NO_PARENT; q = tree.parent(q)) {
      if (any[q]) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a queue and those above it would have no more than they are owed with an amount more.
   */
  public boolean isWithinShares(String queue, long milli) {
    requireAmount(milli);
    return isWithinShares(tree.leafNumberOf(queue), milli);
  }

  private boolean isWithinShares(int leaf, long milli) {
    for (int q = leaf; q != QueueTree.NO_PARENT; q = tree.parent(q)) {
      if (used[q] + milli > shares.of(q)) {
        return false;
      }
    }
    return true;
  }

  private boolean isBefore(int left, int right) {
    boolean leftLacks = used[left] < tree.quota(left).guaranteed();
    boolean rightLacks = used[right] < tree.quota(right).guaranteed();
    if (leftLacks != rightLacks) {
      return leftLacks;
    }
    return Math.multiplyExact(used[left], shares.of(right))
        < Math.multiplyExact(used[right], shares.of(left));
  }

  /** What a queue may reclaim from others for so many milli-GPU; a fresh, mutable budget. */
  public ReclaimBudget reclaimFor(String queue, long milli) {
    requireAmount(milli);
    return ReclaimBudget.of(this, tree.leafNumberOf(queue), milli);
  }

  private static void requireAmount(long milli) {
    if (milli < 0 || milli > Quota.UNLIMITED) {
      throw new IllegalArgumentException(
          "a request of %d milli-GPU; give 0 to %d".formatted(milli, Quota.UNLIMITED));
    }
  }

  QueueTree tree() {
    return tree;
  }

  long used(int number) {
    return used[number];
  }

  long held(int number) {
    return held[number];
  }

  long share(int number) {
    return shares.of(number);
  }
}
