package io.prescale.controller.scheduler.extender;

import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.ledger.Ledger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Sentences about what is left out, and why.
 *
 * @param queues that others keep and that are not in force, with the reason
 * @param watches that are refused, so that what was known last stands
 */
record ExtenderProblems(
    Ledger ledger,
    ClaimLedger claims,
    Supplier<Map<String, String>> queues,
    Supplier<List<String>> watches) {
  /** By node. */
  Map<String, List<String>> ofNodes() {
    var all = new TreeMap<>(ledger.problems());
    claims
        .problems()
        .forEach((node, sentences) -> all.merge(node, sentences, ExtenderProblems::both));
    return all;
  }

  /**
   * Those of nodes, of pods that wait for their claim, of queues that others keep, and of watches.
   */
  Map<String, List<String>> all() {
    var all = ofNodes();
    claims.waiting().forEach((pod, sentence) -> all.put(pod, List.of(sentence)));
    queues.get().forEach((queue, why) -> all.put("queue " + queue, List.of(why)));
    var refused = watches.get();
    if (!refused.isEmpty()) {
      all.put("watches", refused);
    }
    return all;
  }

  private static List<String> both(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }
}
