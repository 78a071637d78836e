package io.prescale.placement.ledger;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;

/** The newest decisions about pods. For one thread at a time. */
public final class RecentDecisions {
  private static final int REMEMBERED = 60;

  private final ArrayDeque<PlacementDecision> newestFirst = new ArrayDeque<>();

  /** Records that a pod goes to a node. */
  public void placed(Instant at, String pod, String node, String reason) {
    add(new PlacementDecision(at, pod, node, reason));
  }

  /** Records that a pod goes nowhere; of refusals for the same reason only the newest is kept. */
  public void refused(Instant at, String pod, String reason) {
    newestFirst.removeIf(
        known ->
            known.node().isEmpty() && known.pod().equals(pod) && known.reason().equals(reason));
    add(new PlacementDecision(at, pod, "", reason));
  }

  /** Removes the newest decision about a pod that does not go to its node after all. */
  public void withdraw(String pod) {
    newestFirst.stream()
        .filter(known -> known.pod().equals(pod))
        .findFirst()
        .filter(known -> !known.node().isEmpty())
        .ifPresent(newestFirst::remove);
  }

  private void add(PlacementDecision decision) {
    newestFirst.addFirst(decision);
    if (newestFirst.size() > REMEMBERED) {
      newestFirst.removeLast();
    }
  }

  /** The newest first. */
  public List<PlacementDecision> all() {
    return List.copyOf(newestFirst);
  }
}
