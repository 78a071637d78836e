package io.prescale.placement.ledger;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.QueueTree;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the ledger knows for taking back, at one moment. Amounts are thousandths of a card.
 *
 * @param capacity of all cards, by pool
 * @param used of queues without children
 * @param demand what those use and wait for
 * @param held what pods have that are bound or being bound
 * @param claimants pods and gangs that wait for such cards
 * @param expected pods that bookings say are needed, and that have no cards
 * @param suspended what a pod of suspended work asks for, by the given key
 */
public record ReclaimFacts(
    ClusterSnapshot cluster,
    QueueTree tree,
    Map<CardPool, Long> capacity,
    Map<String, Long> used,
    Map<String, Long> demand,
    List<Held> held,
    List<Claimant> claimants,
    List<Expectation> expected,
    Map<String, Ask> suspended) {
  public ReclaimFacts {
    capacity = Map.copyOf(capacity);
    used = Map.copyOf(used);
    demand = Map.copyOf(demand);
    held = List.copyOf(held);
    claimants = List.copyOf(claimants);
    expected = List.copyOf(expected);
    suspended = Map.copyOf(suspended);
  }

  /** The pods of these UIDs that have cards. */
  public List<PodFacts> podsOf(Set<String> uids) {
    return held.stream().map(Held::pod).filter(pod -> uids.contains(pod.uid())).toList();
  }

  /**
   * A pod that has cards.
   *
   * @param queue that pays for it
   * @param milli what it takes of the queue
   * @param isTakeable whether it runs on cards that are known one by one; others are never taken
   * @param end by its own word, if it gives one and has not outlived it
   */
  public record Held(
      PodFacts pod,
      String queue,
      long milli,
      Optional<Group> group,
      boolean isTakeable,
      Optional<Instant> end) {}

  /** What a pod asks of its queue. */
  public record Ask(String queue, RequestShape shape, long milli) {}
}
