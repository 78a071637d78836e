package io.prescale.placement.ledger;

import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.ledger.Holding.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Offers places to pods, alone or as gangs, and releases those that are not taken in time. For one
 * thread at a time.
 */
final class Offers {
  /**
   * The scheduler binds within milliseconds; a pod that it has not bound in this time is dropped.
   */
  static final Duration ASSUMED = Duration.ofSeconds(10);

  /** The scheduler lets a pod wait for up to ten seconds before it tries it again. */
  static final Duration WOKEN = Duration.ofSeconds(20);

  /** The members of a gang come one after the other, some after a back-off. */
  static final Duration RESERVED = Duration.ofSeconds(60);

  private final Fleet fleet;
  private final Holdings holdings;
  private final WaitingPods waiting;
  private final QueueAccounts queues;
  private final DemandReader reader;
  private final PermittedPlaces places;
  private final PodGangs gangs;

  private final PodGroups groups;

  Offers(
      Fleet fleet,
      Holdings holdings,
      WaitingPods waiting,
      QueueAccounts queues,
      DemandReader reader,
      NodeChoice choice,
      PodGroups groups) {
    this.fleet = fleet;
    this.groups = groups;
    this.queues = queues;
    this.holdings = holdings;
    this.waiting = waiting;
    this.reader = reader;
    this.gangs = new PodGangs(holdings, waiting, queues);
    this.places = new PermittedPlaces(fleet, holdings, queues, choice);
  }

  /**
   * What was found for a pod. Amounts are thousandths of a card.
   *
   * @param least what it takes at least
   * @param together what it and those that are placed with it take at least
   */
  record Search(Candidates found, long least, long together) {}

  /** Finds where a pod could go among some nodes, and assumes the best place. */
  Candidates offer(PodFacts pod, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    var before = holdings.of(pod.uid()).filter(holding -> holding.state() == State.ASSUMED);
    queues.await(pod);
    var search = among(pod, nodes, now, now.plus(ASSUMED), crowd);
    var found = search.found();
    if (found instanceof Candidates.Nowhere) {
      before
          .map(Holding::node)
          .filter(node -> !nodes.contains(node))
          .ifPresent(node -> waiting.reservedInVain(pod.uid(), node));
    }
    if (found.isRefusal()) {
      wasRefused(pod, found instanceof Candidates.HeldBack);
      waiting.asked(pod.uid(), nodes);
    } else {
      waiting.accept(pod.uid());
    }
    queues.tried(pod.uid(), search.least(), search.together(), found);
    return found;
  }

  private Search among(
      PodFacts pod, List<String> nodes, Instant now, Instant until, ToLongFunction<String> crowd) {
    var group = groups.gangOf(pod);
    var found =
        group.isEmpty()
            ? alone(pod, nodes, now, until, crowd)
            : member(pod, group.get(), nodes, now, crowd);
    long least = queues.leastOf(pod);
    boolean waitsTogether = group.isPresent() && found.isRefusal();
    return new Search(found, least, waitsTogether ? gangs.together(pod, group.get()) : least);
  }

  /**
   * Records how many pods of a PodGroup are placed together; empty when it is no gang or is gone.
   */
  void podGroup(String namespace, String name, OptionalInt least) {
    if (groups.put(namespace, name, least)) {
      waiting.groupChanged();
    }
  }

  private Candidates alone(
      PodFacts pod, List<String> nodes, Instant now, Instant until, ToLongFunction<String> crowd) {
    var before = holdings.of(pod.uid());
    if (before.isPresent() && before.get().state() == State.ASSUMED) {
      release(pod.uid());
    }
    var found = places.among(pod, reader.read(pod), nodes, now, crowd);
    if (!holdings.has(pod.uid())) {
      found.best().ifPresent(best -> holdings.hold(assumed(pod, best, found.nodes(), until)));
    }
    return found.candidates();
  }

  /** As {@link Ledger#candidates}, without assuming a place. */
  Candidates look(PodFacts pod, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    return places.among(pod, reader.read(pod), nodes, now, crowd).candidates();
  }

  private static Holding assumed(
      PodFacts pod, NodeChoice.Place place, List<String> ranked, Instant until) {
    return new Holding(
        pod,
        place.node(),
        place.placement(),
        place.units(),
        State.ASSUMED,
        ranked,
        until,
        List.of());
  }

  /** Chooses a place on the node that the scheduler preferred to the best one. */
  Optional<Holding> moved(PodFacts pod, PodDemand demand, String node, Instant now) {
    release(pod.uid());
    return places
        .among(pod, demand, List.of(node), now, _ -> 0)
        .best()
        .map(place -> assumed(pod, place, List.of(), now));
  }

  /** Why a pod has no place on the node that the scheduler preferred. */
  String whyNot(PodFacts pod, PodDemand demand, String node, Instant now) {
    return places.among(pod, demand, List.of(node), now, _ -> 0).candidates()
            instanceof Candidates.HeldBack(var sentence)
        ? sentence
        : "node %s has no room for pod %s any more".formatted(node, pod.display());
  }

  /**
   * A member of a gang waits until all members exist and have a place; then each is offered its
   * own. So of two gangs that do not fit together, one gets everything and the other nothing.
   */
  private Candidates member(
      PodFacts pod, Group group, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    if (!waiting.has(pod.uid())) {
      waiting.put(pod);
    }
    var reserved = holdings.of(pod.uid());
    if (reserved.isPresent() && nodes.contains(reserved.get().node())) {
      return new Candidates.Nodes(List.of(reserved.get().node()));
    }
    releaseGroup(pod.namespace(), group);
    if (group.size() > PodGangs.MOST_MEMBERS) {
      return refuse(
          nodes,
          "group %s is of %d pods; at most %d are placed together"
              .formatted(group.name(), group.size(), PodGangs.MOST_MEMBERS));
    }
    var gang = gangs.of(pod, group);
    long there = gang.there();
    if (there < group.size()) {
      return refuse(
          nodes,
          "%d of the %d pods of group %s are there for scheduler %s"
              .formatted(there, group.size(), group.name(), pod.scheduler()));
    }
    var heldBack = gangs.heldBack(gang, now);
    if (heldBack.isPresent()) {
      return heldBack.get();
    }
    boolean asksNothing = false;
    var placed = new ArrayList<String>();
    for (var member : gang.absent()) {
      if (there >= group.size()) {
        var found = alone(member, nodes, now, now.plus(RESERVED), crowd);
        switch (found) {
          case Candidates.HeldBack _ -> {
            heldBack = Optional.of(found);
            there--;
          }
          case Candidates.Nowhere _ -> there--;
          case Candidates.Anywhere _, Candidates.Nodes _ -> placed.add(member.uid());
        }
        asksNothing |= found instanceof Candidates.Anywhere && member.uid().equals(pod.uid());
      }
    }
    if (there < group.size()) {
      // Their nodes have no more room than before this call.
      placed.forEach(holdings::release);
      return heldBack.orElse(
          refuse(nodes, "there is no room for all pods of group " + group.name()));
    }
    return place(pod, nodes, asksNothing);
  }

  /**
   * Offers a member its place; a gang may have more members than it needs, so one may have none.
   */
  private Candidates place(PodFacts pod, List<String> nodes, boolean asksNothing) {
    var place = holdings.of(pod.uid());
    if (place.isPresent()) {
      return new Candidates.Nodes(List.of(place.get().node()));
    }
    return asksNothing
        ? new Candidates.Anywhere()
        : refuse(nodes, "there is no room beside the other pods of the group");
  }

  private static Candidates refuse(List<String> nodes, String reason) {
    var reasons = new HashMap<String, String>();
    nodes.forEach(node -> reasons.put(node, reason));
    return new Candidates.Nowhere(reasons, Set.of());
  }

  /** Releases what is reserved for members that are not being bound. */
  private void releaseGroup(String namespace, Group group) {
    for (var holding : holdings.assumed()) {
      if (holding.pod().isOf(namespace, group)) {
        release(holding.pod().uid());
      }
    }
  }

  /**
   * Reserves a place for a refused pod if there is one. A gang may be placed anywhere once
   * something has changed, and so may a pod for which no node was considered.
   */
  Search reserve(WaitingPods.Refused refused, List<String> roomier, Instant now) {
    var pod = refused.pod();
    boolean anywhere = pod.group().isPresent() || refused.heldBack();
    var nodes = refused.among(anywhere ? fleet.names() : roomier);
    return among(pod, nodes, now, now.plus(WOKEN), _ -> 0);
  }

  /** Records what was found for a refused pod, or for one of its kind. */
  void settle(WaitingPods.Refused refused, Search search) {
    var uid = refused.pod().uid();
    var found = search.found();
    if (found instanceof Candidates.Nodes) {
      waiting.accept(uid);
    } else {
      waiting.refuse(refused.pod(), refused.demand(), found instanceof Candidates.HeldBack);
    }
    queues.tried(uid, search.least(), search.together(), found);
  }

  /** As {@link Ledger#wasRefused}. */
  void wasRefused(PodFacts pod, boolean heldBack) {
    var demand = reader.read(pod);
    if (!(demand instanceof PodDemand.Refused)) {
      waiting.refuse(pod, demand, heldBack);
    }
  }

  /** Releases the place of a pod, and what is reserved for the other members of its gang. */
  void withdraw(String uid) {
    var pod = holdings.of(uid).map(Holding::pod);
    release(uid);
    pod.ifPresent(
        member ->
            groups.gangOf(member).ifPresent(group -> releaseGroup(member.namespace(), group)));
  }

  /** Releases what a pod holds. */
  void release(String uid) {
    holdings.release(uid).ifPresent(holding -> waiting.roomOn(holding.node()));
  }

  /** Releases what was not taken in time. */
  void expire(Instant now) {
    for (var late = holdings.expired(now); late.isPresent(); late = holdings.expired(now)) {
      withdraw(late.get().pod().uid());
    }
  }
}
