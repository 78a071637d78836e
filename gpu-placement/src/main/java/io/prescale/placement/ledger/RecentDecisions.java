package io.prescale.placement.ledger;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;

/** The newest decisions about pods. Not thread-safe. */
final class RecentDecisions {
  private static final int REMEMBERED = 60;

  private final ArrayDeque<PlacementDecision> newestFirst = new ArrayDeque<>();

  /** Records that a pod goes to a node. */
  void placed(Instant at, String pod, String node, String reason) {
    add(new PlacementDecision(at, pod, node, reason));
  }

  /**
   * Records that a pod goes to the node that the scheduler chose.
   *
   * @param ranked the nodes on its shortlist
   */
  void bound(Instant at, String pod, String node, Ranked ranked) {
    placed(at, pod, node, rank(ranked, node));
  }

  private static String rank(Ranked ranked, String node) {
    var nodes = ranked.nodes();
    return switch (nodes.indexOf(node)) {
      case -1 -> "kube-scheduler chose it";
      case 0 ->
          nodes.size() > 1
              ? "the best of %d nodes on the shortlist".formatted(nodes.size())
              : alone(ranked);
      default ->
          "kube-scheduler preferred it to %s, the best of %d on the shortlist"
              .formatted(nodes.getFirst(), nodes.size());
    };
  }

  /** Of a gang's pods often only the best node is looked for. */
  private static String alone(Ranked ranked) {
    return ranked.areAll() ? "the only node that fits" : "the best of the nodes that fit";
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
  void refused(Instant at, String pod, String reason) {
    newestFirst.removeIf(
        known ->
            known.node().isEmpty() && known.pod().equals(pod) && known.reason().equals(reason));
    add(new PlacementDecision(at, pod, "", reason));
  }

  /** Removes the newest decision about a pod that does not go to its node after all. */
  void withdraw(String pod) {
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
  List<PlacementDecision> all() {
    return List.copyOf(newestFirst);
  }
}
