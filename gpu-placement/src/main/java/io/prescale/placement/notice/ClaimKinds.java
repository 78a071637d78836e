package io.prescale.placement.notice;

import io.prescale.placement.cluster.RequestShape;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows which claims fit the same places. Sets of thousands of nodes are compared once each, not
 * once for each claim. Not thread-safe.
 */
final class ClaimKinds {
  private static final int UNKNOWN = -1;

  private final IdentityHashMap<Set<String>, Integer> known = new IdentityHashMap<>();
  private final Map<Set<String>, Integer> numbers = new HashMap<>();

  /** Claims of one kind fit the same places. */
  record Kind(String queue, List<RequestShape> shapes, long milli, int nodes) {}

  /** The kind of a claim. */
  Kind of(Claimant claim) {
    int nodes = claim.nodes().map(this::number).orElse(UNKNOWN);
    return new Kind(claim.queue(), claim.shapes(), claim.milli(), nodes);
  }

  private int number(Set<String> nodes) {
    return known.computeIfAbsent(nodes, each -> numbers.computeIfAbsent(each, _ -> numbers.size()));
  }
}
