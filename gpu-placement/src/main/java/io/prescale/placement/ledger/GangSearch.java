package io.prescale.placement.ledger;

import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.inventory.DeclaredLength;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.ledger.GangDomains.Domain;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * One search for places for the members of one gang. Pods are searched for by kind: where one of a
 * kind was refused, so are the others, because an attempt frees nothing but what was kept for a pod
 * that is placed. Not thread-safe.
 */
final class GangSearch {
  /** Real gangs have a leader and workers; each kind may cost a search in every domain. */
  static final int MOST_KINDS = 16;

  /** What a search costs beside the nodes that it looks at, in such looks. */
  private static final int PER_SEARCH = 20;

  /** A step in the network outweighs the seconds that a pod may have to wait for its turn. */
  private static final long STEP = 1_000_000;

  private final Assumptions assumptions;

  /** For a search among the best nodes, of which nothing is read but the first. */
  private final Assumptions ofBest;

  private final Assumptions ofAll;
  private final Holdings holdings;
  private final GangDomains domains;
  private final PodFacts asking;
  private final PodGang gang;

  /** Of the absent members; equal kinds are one object, which is found faster. */
  private final List<Optional<PodKind>> kindOf;

  private final int kinds;
  private final Instant now;
  private long looks;

  GangSearch(
      Assumptions assumptions,
      Holdings holdings,
      GangDomains domains,
      PodFacts asking,
      PodGang gang,
      Instant now) {
    this.assumptions = assumptions;
    ofBest = assumptions.listing(1);
    ofAll = assumptions.listing(BestNodes.MOST);
    this.holdings = holdings;
    this.domains = domains;
    this.asking = asking;
    this.gang = gang;
    this.now = now;
    var known = new HashMap<PodKind, PodKind>();
    kindOf =
        gang.absent().stream()
            .map(
                member ->
                    assumptions.kindOf(member).map(it -> known.computeIfAbsent(it, kind -> kind)))
            .toList();
    kinds = known.size();
  }

  /** What decides whether a pod has room, beside what is free; equal ones are refused together. */
  record PodKind(
      String queue,
      PodDemand demand,
      int priority,
      boolean isNeverTaken,
      Optional<DeclaredLength> length) {}

  /**
   * What came of placing the gang in a domain.
   *
   * @param there how many members have places, or none to find
   * @param placed the UIDs of those that got one
   * @param refusal why the first did not
   */
  record Attempt(
      Domain domain,
      long there,
      List<String> placed,
      boolean asksNothing,
      Optional<Candidates> refusal) {
    boolean isEnoughFor(Group group) {
      return there >= group.size() && !placed.isEmpty();
    }
  }

  /** Places the members in a domain, as near each other as they can be if that is asked for. */
  Attempt in(Domain domain, boolean isNear, ToLongFunction<String> crowd) {
    var neighbours = domains.neighbours(gang, isNear ? domain.scope() : NetworkScope.NODE);
    ToLongFunction<String> distance =
        isNear ? node -> STEP * neighbours.distance(node) + crowd.applyAsLong(node) : crowd;
    long there = gang.there();
    boolean asksNothing = false;
    Optional<Candidates> refusal = Optional.empty();
    var refused = new IdentityHashMap<PodKind, Candidates>();
    var placed = new ArrayList<String>();
    var nodes = new BestNodes(domain.nodes());
    for (int i = 0; i < gang.absent().size() && there >= gang.group().size(); i++) {
      var member = gang.absent().get(i);
      var kind = kindOf.get(i);
      var known = kind.map(refused::get);
      var found = known.orElseGet(() -> search(member, kind, nodes, distance));
      if (found.isRefusal()) {
        there--;
        kind.ifPresent(it -> refused.putIfAbsent(it, found));
        if (refusal.isEmpty() || found instanceof Candidates.HeldBack) {
          refusal = Optional.of(found);
        }
        continue;
      }
      placed.add(member.uid());
      holdings.of(member.uid()).ifPresent(it -> given(it.node(), neighbours, nodes));
      if (kind.isEmpty()) {
        // Cards were kept for it; what it leaves of them may be open to others now.
        refused.clear();
        nodes.forget();
      }
      asksNothing |= found instanceof Candidates.Anywhere && member.uid().equals(asking.uid());
    }
    return new Attempt(domain, there, placed, asksNothing, refusal);
  }

  private Candidates search(
      PodFacts member, Optional<PodKind> kind, BestNodes nodes, ToLongFunction<String> distance) {
    var best = kind.flatMap(it -> nodes.forNext(it, member.image()));
    var among = best.orElseGet(nodes::all);
    looks += among.size() + PER_SEARCH;
    var found =
        (best.isPresent() ? ofBest : ofAll)
            .assume(member, among, now, now.plus(GangOffers.RESERVED), distance);
    if (best.isEmpty() && found instanceof Candidates.Nodes(var nodesInOrder)) {
      kind.filter(it -> !assumptions.isChoosyByQueue(it))
          .ifPresent(it -> nodes.found(it, member.image(), nodesInOrder));
    }
    return found;
  }

  private static void given(String node, GangDomains.Neighbours neighbours, BestNodes nodes) {
    boolean areOthersNearer = neighbours.add(node);
    if (areOthersNearer) {
      nodes.forget();
    } else {
      nodes.given(node);
    }
  }

  /** How many kinds the absent members are of. */
  int kinds() {
    return kinds;
  }

  /** The nodes that were looked at so far, and what the searches and the members cost besides. */
  long looks() {
    return looks + kindOf.size();
  }
}
