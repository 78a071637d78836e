package io.prescale.placement.ledger;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;

/** The newest decisions about pods. Not thread-safe. */
public final class RecentDecisions {
  private static final int REMEMBERED = 60;

  private final ArrayDeque<PlacementDecision> newestFirst = new ArrayDeque<>();

  /** Records that a pod goes to a node. */
  public void placed(Instant at, String pod, String node, String reason) {
    add(new PlacementDecision(at, pod, node, reason));
  }

  /**
   * Records that a pod goes to the node that the scheduler chose.
   *
   * @param ranked the nodes on its shortlist, the best first
   */
  void bound(Instant at, String pod, String node, List<String> ranked) {
    placed(at, pod, node, rank(ranked, node));
  }

  private static String rank(List<String> ranked, String node) {
    int place = ranked.indexOf(node);
    return switch (place) {
      case -1 -> "kube-scheduler chose it";
      case 0 ->
          ranked.size() == 1
              ? "the only node that fits"
              : "the best of %d nodes on the shortlist".formatted(ranked.size());
      default ->
          "kube-scheduler preferred it to %s, the best of %d on the shortlist"
              .formatted(ranked.getFirst(), ranked.size());
    };
  }

  /** Records the answer to the scheduler if it refuses a pod. */
  void answered(Instant at, String pod, Candidates answer) {
    switch (answer) {
      case Candidates.Nowhere nowhere -> refused(at, pod, nowhere.summary());
      case Candidates.HeldBack held -> refused(at, pod, held.sentence());
      case Candidates.Anywhere _, Candidates.Nodes _ -> {
        // kube-scheduler chooses the node.
      }
    }
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
