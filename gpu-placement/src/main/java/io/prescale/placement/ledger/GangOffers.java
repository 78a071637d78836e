package io.prescale.placement.ledger;

import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.ledger.GangSearch.Attempt;
import io.prescale.placement.ledger.Holding.State;
import java.time.Duration;
import java.time.Instant;
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

  private static final String BESIDE = "there is no room beside the other pods of the group";

  private final Assumptions assumptions;
  private final Holdings holdings;
  private final WaitingPods waiting;
  private final PodGangs gangs;
  private final GangDomains domains;
  private final SearchBudget budget = new SearchBudget();

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
      return reserved
          .filter(it -> it.state() != State.FAILED)
          .or(() -> elsewhere(reserved.get(), group, nodes, now, crowd))
          .<Candidates>map(place -> new Candidates.Nodes(List.of(place.node())))
          .orElseGet(() -> refuse(nodes, BESIDE));
    }
    assumptions.releaseGroup(pod.namespace(), group);
    var postponed = budget.refusal(group.in(pod.namespace()), now);
    if (postponed.isPresent()) {
      return new Candidates.HeldBack(postponed.get(), false);
    }
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
    return gangs.heldBack(gang, now).orElseGet(() -> together(pod, gang, nodes, now, crowd));
  }

  private Candidates together(
      PodFacts pod, PodGang gang, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    return switch (domains.permitted(gang, nodes)) {
      case GangDomains.Nowhere(var sentence) ->
          Candidates.Nowhere.everywhere(nodes, sentence, true);
      case GangDomains.Domains permitted -> together(pod, gang, permitted, nodes, now, crowd);
    };
  }

  /**
   * Another node for a member whose binding failed, in the narrowest domain of its own that has
   * others. Its place is kept where there is none, unless its node has no cards any more; those of
   * the other members are kept.
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
    if (!holdings.has(pod.uid()) && holdings.isStillThere(failed)) {
      holdings.hold(failed);
    } else {
      waiting.roomOn(failed.node());
    }
    return holdings.of(pod.uid());
  }

  private Candidates together(
      PodFacts pod,
      PodGang gang,
      GangDomains.Domains permitted,
      List<String> nodes,
      Instant now,
      ToLongFunction<String> crowd) {
    var search = new GangSearch(assumptions, holdings, domains, pod, gang, now);
    var found =
        search.kinds() > GangSearch.MOST_KINDS
            ? refuse(
                nodes,
                "the pods of group %s ask for %d different things; pods that ask for at most %d are placed together"
                    .formatted(gang.group().name(), search.kinds(), GangSearch.MOST_KINDS))
            : together(search, pod, gang, permitted, nodes, crowd);
    budget.spend(gang.group().in(pod.namespace()), search.looks(), reason(found), now);
    return found;
  }

  /** Why a gang has no place, the same on every node; empty if it has one. */
  private static String reason(Candidates found) {
    return found instanceof Candidates.Nowhere nowhere
        ? nowhere.reasons().values().stream().findFirst().orElse("")
        : "";
  }

  private Candidates together(
      GangSearch search,
      PodFacts pod,
      PodGang gang,
      GangDomains.Domains permitted,
      List<String> nodes,
      ToLongFunction<String> crowd) {
    Optional<Attempt> best = Optional.empty();
    for (int place = 0; place < permitted.inOrder().size(); place++) {
      var domain = permitted.inOrder().get(place);
      var attempt = search.in(domain, permitted.isNear(), crowd);
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
        return place(pod, nodes, search.in(again, permitted.isNear(), crowd));
      }
    }
    var nearest = best;
    return nearest
        .flatMap(Attempt::refusal)
        .filter(Candidates.HeldBack.class::isInstance)
        .orElseGet(() -> refuse(nodes, noRoom(gang, permitted, nearest)));
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
