package io.prescale.placement.ledger;

import io.prescale.placement.ledger.GangSearch.PodKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The nodes of a domain among which the next pod of a gang is searched for. Of a kind only the
 * first is searched for among all: nodes change by the gang's pods alone, so the best for the next
 * one is among those that were best, as long as the last of these is as it was, and those that pods
 * were given since. Not thread-safe.
 */
final class BestNodes {
  /** As many as a search has to tell; with more, all nodes are searched less often. */
  static final int MOST = 64;

  private final List<String> all;
  private final IdentityHashMap<PodKind, Ranked> ranked = new IdentityHashMap<>();

  BestNodes(List<String> all) {
    this.all = all;
  }

  /**
   * What a search among all nodes found.
   *
   * @param image by which nodes were preferred that are equal otherwise
   * @param given the nodes that pods were given since
   */
  private record Ranked(String image, List<String> best, Set<String> given) {
    /** Two of them are as they were, so one is never taken for the only one that fits. */
    boolean isGoodFor(String otherImage) {
      return image.equals(otherImage)
          && best.size() > 1
          && best.subList(best.size() - 2, best.size()).stream().noneMatch(given::contains);
    }
  }

  List<String> all() {
    return all;
  }

  /** Where to search for the next pod of a kind. */
  List<String> forNext(PodKind kind, String image) {
    var known = ranked.get(kind);
    if (known == null || !known.isGoodFor(image)) {
      ranked.remove(kind);
      return all;
    }
    var nodes = new LinkedHashSet<>(known.best());
    nodes.addAll(known.given());
    return new ArrayList<>(nodes);
  }

  /** Records the best nodes for a pod, the best first. */
  void found(PodKind kind, String image, List<String> best) {
    if (!kind.isChoosyByQueue()) {
      // The root of the nodes balances searches among all with those among the best.
      var first = best.stream().limit(2 + (long) Math.sqrt(all.size())).toList();
      ranked.putIfAbsent(kind, new Ranked(image, first, new HashSet<>()));
    }
  }

  /** Records that a pod was given a node. */
  void given(String node) {
    ranked.values().forEach(each -> each.given().add(node));
  }

  /** Has the next pod of each kind searched for among all nodes, since others may be better now. */
  void forget() {
    ranked.clear();
  }
}
