package io.prescale.placement.notice;

import java.time.Instant;
import java.util.Set;

/** One write that brings what is written down closer to what was decided. Each may be repeated. */
public sealed interface ReclaimStep {

  /** Gives a pod notice. */
  record Notify(String uid, Notice notice) implements ReclaimStep {}

  /** Withdraws a pod's notice. */
  record Withdraw(String uid) implements ReclaimStep {}

  /** Evicts a pod whose notice has run out. */
  record Evict(String uid, String claim) implements ReclaimStep {}

  /**
   * Suspends a workload whose pods' notices have run out.
   *
   * @param uids of its pods, all that have cards
   */
  record Suspend(String workload, Set<String> uids, String claim) implements ReclaimStep {
    public Suspend {
      uids = Set.copyOf(uids);
    }
  }

  /**
   * Scales a workload down by pods whose notices have run out.
   *
   * @param uids of the pods that leave
   */
  record Shrink(String workload, Set<String> uids, String claim) implements ReclaimStep {
    public Shrink {
      uids = Set.copyOf(uids);
    }
  }

  /** Lets a suspended workload go on, or gives one that was scaled down its replicas again. */
  record Resume(String workload) implements ReclaimStep {}

  /** Has the scheduler ask about a claim, since it is unknown which nodes it may use. */
  record Ask(String claim) implements ReclaimStep {}

  /**
   * Only says which pods would be taken.
   *
   * @param at when their notices would have run out
   */
  record Advise(String claim, Set<String> uids, Instant at) implements ReclaimStep {
    public Advise {
      uids = Set.copyOf(uids);
    }
  }
}
