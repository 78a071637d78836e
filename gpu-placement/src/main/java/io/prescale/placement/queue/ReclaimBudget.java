package io.prescale.placement.queue;

import java.util.Arrays;

/**
 * How much one request may reclaim from each queue, counted down as victims are chosen. Not
 * thread-safe.
 *
 * <p>Compared are the two branches below the lowest queue that claimant and victim have in common,
 * as in Kueue (KEP-1714). When the request stays within what the claimant's branch is guaranteed,
 * the victim's branch and every queue in it down to the victim keep what is guaranteed to them;
 * when it stays within its fair share, they keep their fair shares. Otherwise nothing may be taken.
 * Inside the claimant's own queue priorities decide, not quotas. What is only offered to a queue's
 * work counts for what it claims, and not for what it can give.
 */
public final class ReclaimBudget {
  private static final long ANY = Long.MAX_VALUE;

  private final QueueTree tree;
  private final long[] room;

  private ReclaimBudget(QueueTree tree, long[] room) {
    this.tree = tree;
    this.room = room;
  }

  static ReclaimBudget of(QueueLedger ledger, int claimant, long milli) {
    QueueTree tree = ledger.tree();
    long[] room = new long[tree.size()];
    boolean owed = true;
    for (int q = claimant; q != QueueTree.NO_PARENT; q = tree.parent(q)) {
      room[q] = ANY;
      long after = ledger.used(q) + milli;
      boolean guaranteed = after <= tree.quota(q).guaranteed();
      owed &= guaranteed || after <= ledger.share(q);
      for (int sibling : tree.familyOf(q)) {
        if (sibling != q) {
          openBranch(ledger, sibling, owed, guaranteed, room);
        }
      }
    }
    return new ReclaimBudget(tree, room);
  }

  private static void openBranch(
      QueueLedger ledger, int queue, boolean owed, boolean guaranteed, long[] room) {
    QueueTree tree = ledger.tree();
    long due = tree.quota(queue).guaranteed();
    long kept = guaranteed ? due : Math.max(due, ledger.share(queue));
    room[queue] = owed ? Math.max(0, ledger.held(queue) - kept) : 0;
    for (int child : tree.childrenOf(queue)) {
      openBranch(ledger, child, owed, guaranteed, room);
    }
  }

  /** Whether an amount may still be taken from a queue without children. */
  public boolean allows(String queue, long milli) {
    return roomOf(queue) >= milli;
  }

  /** What may still be taken from a queue without children, in milli-GPU. */
  public long roomOf(String queue) {
    long least = ANY;
    for (int q = tree.leafNumberOf(queue); q != QueueTree.NO_PARENT; q = tree.parent(q)) {
      least = Math.min(least, room[q]);
    }
    return least;
  }

  /**
   * Counts a victim.
   *
   * @throws IllegalArgumentException when the queue may not give that much
   */
  public void take(String queue, long milli) {
    if (!allows(queue, milli)) {
      throw new IllegalArgumentException(
          "%d milli-GPU of queue %s, which may give %d".formatted(milli, queue, roomOf(queue)));
    }
    add(queue, -milli);
  }

  /** Restores the amount of a victim that was counted before. */
  public void giveBack(String queue, long milli) {
    add(queue, milli);
  }

  private void add(String queue, long milli) {
    for (int q = tree.leafNumberOf(queue); q != QueueTree.NO_PARENT; q = tree.parent(q)) {
      if (room[q] != ANY) {
        room[q] += milli;
      }
    }
  }

  /** A budget of its own with what is left of this one. */
  public ReclaimBudget copy() {
    return new ReclaimBudget(tree, Arrays.copyOf(room, room.length));
  }
}
