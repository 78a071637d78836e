package io.prescale.controller.place;

import io.prescale.placement.overcommit.OvercommitRule;
import io.prescale.placement.preference.PackingByPriority;
import io.prescale.placement.queue.QueueTree;
import java.util.Optional;

/**
 * The rules of a run.
 *
 * @param queues whose limits and guarantees hold; none when empty
 * @param fairOrder whether the queue that has least of what it is owed comes next; needs queues
 * @param mayEvict whether pods without a free place may have others evicted
 * @param packing how binpack or spread is chosen for pods that leave it open
 * @param overcommit how much more memory cards may promise than they have
 */
public record PlacementRules(
    Optional<QueueTree> queues,
    boolean fairOrder,
    boolean mayEvict,
    Optional<PackingByPriority> packing,
    Optional<OvercommitRule> overcommit) {
  /** No limits, no evictions, and no overcommit. */
  public static final PlacementRules NONE =
      new PlacementRules(Optional.empty(), false, false, Optional.empty(), Optional.empty());

  public PlacementRules withQueues(QueueTree newQueues) {
    return new PlacementRules(Optional.of(newQueues), fairOrder, mayEvict, packing, overcommit);
  }
}
