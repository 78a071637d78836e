package io.prescale.controller.scheduler.reclaim;

import java.util.Optional;

/** What is suspended when a pod's cards are taken. */
sealed interface Ownership {
  /** It leaves alone. */
  record None() implements Ownership {}

  /** Its owners were not read yet. */
  record Unknown() implements Ownership {}

  /**
   * It leaves with all pods of a workload.
   *
   * @param evictions how many of them may be evicted, as far as is known, before it ends
   */
  record By(Suspendable whole, int evictions) implements Ownership {
    By(Suspendable whole) {
      this(whole, Integer.MAX_VALUE);
    }
  }

  /** The workload, if it is known that there is one. */
  default Optional<Suspendable> workload() {
    return this instanceof By(var whole, _) ? Optional.of(whole) : Optional.empty();
  }

  /** Whether its owners were not read yet. */
  default boolean isUnknown() {
    return this instanceof Unknown;
  }
}
