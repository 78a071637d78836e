package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodFacts;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Knows which cards are kept for which pods. For one thread at a time. */
final class CardKeeping {
  private List<KeptCards> all = List.of();

  /**
   * Replaces all.
   *
   * @return the cards that are no longer kept
   */
  Set<String> replace(Collection<KeptCards> now) {
    var freed = uuids(all);
    all = List.copyOf(now);
    freed.removeAll(uuids(all));
    return freed;
  }

  private static Set<String> uuids(List<KeptCards> kept) {
    var uuids = new HashSet<String>();
    kept.forEach(each -> uuids.addAll(each.uuids()));
    return uuids;
  }

  /** The cards on which a pod may not be placed. */
  Set<String> forOthersThan(PodFacts pod) {
    return all.isEmpty()
        ? Set.of()
        : uuids(all.stream().filter(each -> !each.areFor(pod)).toList());
  }

  /** Whether cards are kept for a pod. */
  boolean isFor(PodFacts pod) {
    return all.stream().anyMatch(each -> each.areFor(pod));
  }
}
