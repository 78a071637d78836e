package io.prescale.placement.ledger;

import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.ledger.GangDomains.Domain;
import io.prescale.placement.ledger.Holding.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Offers places to all members of a gang or to none, as near each other as the gang asks. Not
 * thread-safe.
 *
 * <p>Like {@link io.prescale.placement.decision.GangPlacer}, it tries the domains of each scope
 * from the preferred one outwards to the required one, the fullest first. It differs in what it
 * places: pods that ask for devices by number too, within what their queues permit, and gangs of
 * which a part is enough.
 */
final class GangOffers {
  /** The members of a gang come one after the other, some after a back-off. */
  static final Duration RESERVED = Duration.ofSeconds(60);

  /** A step in the network outweighs the seconds that a pod may have to wait for its turn. */
  private static final long STEP = 1_000_000;

  private static final String BESIDE = "there is no room beside the other pods of the group";

  private final Assumptions assumptions;
  private final Holdings holdings;
  private final WaitingPods waiting;
  private final PodGangs gangs;
  private final GangDomains domains;

  GangOffers(
      Assumptions assumptions,
      Holdings holdings,
      WaitingPods waiting,
      PodGangs gangs,
      GangDomains domains) {
    this.assumptions = assumptions;
    this.holdings = holdings;
    this.waiting = waiting;
    this.gangs = gangs;
    this.domains = domains;
  }

  /**
   * What came of placing a gang in a domain.
   *
   * @param there how many members have places, or none to find
   * @param placed the UIDs of those that got one
   * @param refusal why the first did not
   */
  private record Attempt(
      Domain domain,
      long there,
      List<String> placed,
      boolean asksNothing,
      Optional<Candidates> refusal) {
    boolean isEnoughFor(Group group) {
      return there >= group.size() && !placed.isEmpty();
    }
  }

  /**
   * A member of a gang waits until all members exist and have a place; then each is offered its
   * own. So of two gangs that do not fit together, one gets everything and the other nothing.
   */
  Candidates member(
      PodFacts pod, Group group, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    if (!waiting.has(pod.uid())) {
      waiting.put(pod);
    }
    var reserved = holdings.of(pod.uid()).filter(it -> nodes.contains(it.node()));
    if (reserved.isPresent()) {
      var holding = reserved.get();
      var place =
          holding.state() == State.FAILED
              ? elsewhere(holding, group, nodes, now, crowd).orElse(holding)
              : holding;
      return new Candidates.Nodes(List.of(place.node()));
    }
    assumptions.releaseGroup(pod.namespace(), group);
    if (group.size() > PodGangs.MOST_MEMBERS) {
      return refuse(
          nodes,
          "group %s is of %d pods; at most %d are placed together"
              .formatted(group.name(), group.size(), PodGangs.MOST_MEMBERS));
    }
    var known = gangs.of(pod, group);
    var gang = group.isFirst() ? known.completedBy(pod) : known;
    if (gang.there() < group.size()) {
      return refuse(
          nodes,
          "%d of the %d pods of group %s are there for scheduler %s"
              .formatted(gang.there(), group.size(), group.name(), pod.scheduler()));
    }
    return gangs
        .heldBack(gang, now)
        .orElseGet(
            () ->
                switch (domains.permitted(gang, nodes)) {
                  case GangDomains.Nowhere(var sentence) ->
                      Candidates.Nowhere.everywhere(nodes, sentence, true);
                  case GangDomains.Domains permitted ->
                      together(pod, gang, permitted, nodes, now, crowd);
                });
  }

  /**
   * Another node for a member whose binding failed, in the narrowest domain of its own that has
   * others. Its place is kept where there is none, and so are those of the other members.
   */
  private Optional<Holding> elsewhere(
      Holding failed, Group group, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    var pod = failed.pod();
    var others = nodes.stream().filter(it -> !it.equals(failed.node())).toList();
    holdings.release(pod.uid());
    var gang = gangs.of(pod, group);
    if (domains.permitted(gang, others) instanceof GangDomains.Domains permitted) {
      domains
          .around(failed.node(), permitted)
          .ifPresent(it -> assumptions.assume(pod, it.nodes(), now, now.plus(RESERVED), crowd));
    }
    var found = holdings.of(pod.uid());
    if (found.isEmpty()) {
      holdings.hold(failed);
    } else {
      waiting.roomOn(failed.node());
    }
    return found;
  }

  private Candidates together(
      PodFacts pod,
      PodGang gang,
      GangDomains.Domains permitted,
      List<String> nodes,
      Instant now,
      ToLongFunction<String> crowd) {
    Optional<Attempt> best = Optional.empty();
    for (int place = 0; place < permitted.inOrder().size(); place++) {
      var domain = permitted.inOrder().get(place);
      var attempt = attempt(pod, gang, domain, permitted.isNear(), now, crowd);
      if (attempt.refusal().isEmpty()) {
        return place(pod, nodes, attempt);
      }
      // Its nodes have no more room than before this call.
      attempt.placed().forEach(holdings::release);
      best =
          best.filter(it -> it.domain().scope().equals(domain.scope()))
              .filter(it -> it.placed().size() >= attempt.placed().size())
              .or(() -> Optional.of(attempt));
      if (permitted.isLastOfItsScope(place) && best.get().isEnoughFor(gang.group())) {
        var again = best.get().domain();
        return place(pod, nodes, attempt(pod, gang, again, permitted.isNear(), now, crowd));
      }
    }
    var nearest = best;
    return nearest
        .flatMap(Attempt::refusal)
        .filter(Candidates.HeldBack.class::isInstance)
        .orElseGet(() -> refuse(nodes, noRoom(gang, permitted, nearest)));
  }

  private Attempt attempt(
      PodFacts pod,
      PodGang gang,
      Domain domain,
      boolean isNear,
      Instant now,
      ToLongFunction<String> crowd) {
    var neighbours = domains.neighbours(gang, isNear ? domain.scope() : NetworkScope.NODE);
    ToLongFunction<String> distance =
        isNear ? node -> STEP * neighbours.distance(node) + crowd.applyAsLong(node) : crowd;
    long there = gang.there();
    boolean asksNothing = false;
    Optional<Candidates> refusal = Optional.empty();
    var placed = new ArrayList<String>();
    for (var member : gang.absent()) {
      if (there < gang.group().size()) {
        break;
      }
      var found = assumptions.assume(member, domain.nodes(), now, now.plus(RESERVED), distance);
      if (found.isRefusal()) {
        there--;
        if (refusal.isEmpty() || found instanceof Candidates.HeldBack) {
          refusal = Optional.of(found);
        }
        continue;
      }
      placed.add(member.uid());
      holdings.of(member.uid()).map(Holding::node).ifPresent(neighbours::add);
      asksNothing |= found instanceof Candidates.Anywhere && member.uid().equals(pod.uid());
    }
    return new Attempt(domain, there, placed, asksNothing, refusal);
  }

  /**
   * Offers a member its place; a gang may have more members than it needs, so one may have none.
   */
  private Candidates place(PodFacts pod, List<String> nodes, Attempt attempt) {
    // Pods that do not exist yet ask for themselves when they do.
    attempt.placed().stream().filter(uid -> !waiting.has(uid)).forEach(holdings::release);
    var place = holdings.of(pod.uid());
    if (place.isPresent()) {
      return new Candidates.Nodes(List.of(place.get().node()));
    }
    return attempt.asksNothing() ? new Candidates.Anywhere() : refuse(nodes, BESIDE);
  }

  private static String noRoom(
      PodGang gang, GangDomains.Domains permitted, Optional<Attempt> best) {
    var group = gang.group();
    if (best.filter(it -> it.there() >= group.size()).isPresent()) {
      return BESIDE;
    }
    if (permitted.required().equals(NetworkScope.CLUSTER) || best.isEmpty()) {
      return "there is no room for all pods of group " + group.name();
    }
    var nearest = best.get();
    var next =
        nearest.refusal().orElseThrow() instanceof Candidates.Nowhere nowhere
            ? nowhere.summary()
            : "";
    return "%d of the %d pods of group %s fit %s (%s%s); for the next, %s"
        .formatted(
            gang.placed() + nearest.placed().size(),
            group.size(),
            group.name(),
            nearest.domain().scope().phrase(),
            nearest.domain().name(),
            permitted.isPinned() ? ", where its other pods are" : ", the most of any",
            next);
  }

  private static Candidates refuse(List<String> nodes, String reason) {
    return Candidates.Nowhere.everywhere(nodes, reason, false);
  }
}
