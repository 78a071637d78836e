package io.prescale.placement.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Where a pod could go. */
public sealed interface Candidates {

  /** Whether the pod has to wait. */
  default boolean isRefusal() {
    return this instanceof Nowhere || this instanceof HeldBack;
  }

  /** Whether the pod waits for the turn of its queue. */
  default boolean waitsForTurn() {
    return this instanceof HeldBack held && held.isByQueue();
  }

  /** Whether places are looked for later. */
  default boolean isPostponed() {
    return this instanceof HeldBack held && !held.isByQueue();
  }

  /** On any node: the pod asks for nothing that is decided here. */
  record Anywhere() implements Candidates {}

  /** On these nodes, the best first; never empty. */
  record Nodes(List<String> best) implements Candidates {
    public Nodes {
      best = List.copyOf(best);
    }
  }

  /**
   * On none of the candidate nodes.
   *
   * @param reasons a reason for every node
   * @param hopeless the nodes that would not fit the pod if they were empty either
   */
  record Nowhere(Map<String, String> reasons, Set<String> hopeless) implements Candidates {
    public Nowhere {
      reasons = Map.copyOf(reasons);
      hopeless = Set.copyOf(hopeless);
    }

    /** The same reason for every node. */
    static Nowhere everywhere(List<String> nodes, String reason, boolean isHopeless) {
      var reasons = nodes.stream().distinct().collect(Collectors.toMap(it -> it, _ -> reason));
      return new Nowhere(reasons, isHopeless ? reasons.keySet() : Set.of());
    }

    /** The same with a reason for those of some nodes that have none; they are hopeless. */
    Nowhere withReason(List<String> nodes, String reason) {
      var all = new HashMap<>(reasons);
      var none = new HashSet<>(hopeless);
      for (var node : nodes) {
        if (all.putIfAbsent(node, reason) == null) {
          none.add(node);
        }
      }
      return new Nowhere(all, none);
    }

    /** How many nodes refuse for each reason, the most frequent first. */
    public String summary() {
      var counts = new HashMap<String, Integer>();
      reasons.values().forEach(reason -> counts.merge(reason, 1, Integer::sum));
      return counts.entrySet().stream()
          .sorted(
              Map.Entry.<String, Integer>comparingByValue()
                  .reversed()
                  .thenComparing(Map.Entry.comparingByKey()))
          .map(
              entry ->
                  "%d %s: %s"
                      .formatted(
                          entry.getValue(),
                          entry.getValue() == 1 ? "node" : "nodes",
                          entry.getKey()))
          .collect(Collectors.joining("; "));
    }
  }

  /**
   * On none for now, whatever room there is.
   *
   * @param sentence says who has what
   * @param isByQueue whether the pod's queue may not take more, so that the pod waits for its turn
   */
  record HeldBack(String sentence, boolean isByQueue) implements Candidates {
    public HeldBack(String sentence) {
      this(sentence, true);
    }
  }
}
