package io.prescale.placement.notice;

import static java.util.stream.Collectors.toSet;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.QueueTree;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What taking back looks at, at one moment. Amounts are thousandths of a card.
 *
 * @param cluster every node with cards, and what is on them; a request is named by its pod's UID
 * @param capacity of all cards, by pool
 * @param used of queues without children
 * @param demand what those use and wait for
 * @param holders by UID and in the order of these; placements without one are never taken
 * @param gangMinimum how many pods a gang needs to go on; one that is not named needs all
 * @param left how many more pods may be taken from a queue within the hour
 * @param claimants that lack room
 * @param expected pods that may not exist yet, for which cards are kept
 * @param underWay the claims for which pods were taken and that have not got their cards yet
 * @param suspended what may be resumed; empty while the view is not complete
 * @param noticed UIDs of all pods on which a notice is written and that are not leaving; it is
 *     removed from those that are no holders, and where it makes no sense
 * @param refused UIDs of pods whose eviction has been refused for too long; others are taken
 */
public record ReclaimView(
    ClusterSnapshot cluster,
    QueueTree tree,
    Map<CardPool, Long> capacity,
    Map<String, Long> used,
    Map<String, Long> demand,
    Map<String, CardHolder> holders,
    Map<String, Integer> gangMinimum,
    Map<String, Integer> left,
    List<Claimant> claimants,
    List<Expectation> expected,
    Set<String> underWay,
    List<SuspendedWork> suspended,
    Set<String> noticed,
    Set<String> refused) {
  public ReclaimView {
    capacity = Map.copyOf(capacity);
    used = Map.copyOf(used);
    demand = Map.copyOf(demand);
    holders = Collections.unmodifiableMap(new TreeMap<>(holders));
    gangMinimum = Map.copyOf(gangMinimum);
    left = Map.copyOf(left);
    claimants = List.copyOf(claimants);
    expected = List.copyOf(expected);
    underWay = Set.copyOf(underWay);
    suspended = List.copyOf(suspended);
    noticed = Set.copyOf(noticed);
    refused = Set.copyOf(refused);
  }

  /** The holder of a UID that is known to be one. */
  public CardHolder holder(String uid) {
    return Objects.requireNonNull(holders.get(uid));
  }

  /** Workloads whose pods leave one by one, and none that their minimum needs. */
  Set<String> lasting() {
    return holders.values().stream()
        .filter(CardHolder::leavesAlone)
        .flatMap(holder -> holder.workload().stream())
        .collect(toSet());
  }

  /** The notice of a pod that has cards. */
  public Optional<Notice> noticeOf(String uid) {
    return Optional.ofNullable(holders.get(uid)).flatMap(CardHolder::notice);
  }
}
