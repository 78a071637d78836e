package io.prescale.placement.ledger;

import io.prescale.placement.ledger.GangSearch.PodKind;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The nodes of a domain among which the next pod of a gang is searched for. Nodes change by the
 * gang's pods alone, so the best for the next one of a kind is among those that were best and those
 * that pods were given since, until the last of the best was given to one too: no other was as
 * good. Then all are searched again, as for a pod that prefers nodes with another image. Not
 * thread-safe.
 */
final class BestNodes {
  /** As many as a search lists; with more, all nodes are searched less often. */
  static final int MOST = 64;

  private final List<String> all;
  private final IdentityHashMap<PodKind, Best> best = new IdentityHashMap<>();

  BestNodes(List<String> all) {
    this.all = all;
  }

  /**
   * What a search among all nodes found.
   *
   * @param image by which nodes were preferred that are equal otherwise
   * @param given the nodes that pods were given since
   */
  private record Best(String image, List<String> nodes, Set<String> given) {
    boolean isGoodFor(String otherImage) {
      return image.equals(otherImage) && !given.contains(nodes.getLast());
    }
  }

  List<String> all() {
    return all;
  }

  /** The nodes among which the best one for the next pod of a kind is; empty if it may be any. */
  Optional<List<String>> forNext(PodKind kind, String image) {
    return Optional.ofNullable(best.get(kind))
        .filter(it -> it.isGoodFor(image))
        .map(it -> Stream.concat(it.nodes().stream(), it.given().stream()).distinct().toList());
  }

  /** Records which of all nodes are the best for a pod, the best first. */
  void found(PodKind kind, String image, List<String> nodes) {
    // The root of the nodes balances searches among all with those among the best.
    var first = nodes.stream().limit(2 + (long) Math.sqrt(all.size())).toList();
    best.put(kind, new Best(image, first, new HashSet<>()));
  }

  /** Records that a pod was given a node. */
  void given(String node) {
    best.values().forEach(each -> each.given().add(node));
  }

  /** Has the next pod of each kind searched for among all nodes, since others may be better now. */
  void forget() {
    best.clear();
  }
}
