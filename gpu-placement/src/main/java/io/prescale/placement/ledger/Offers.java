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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Offers places to pods, alone or as groups, and takes back what nobody took. For one thread at a
 * time.
 */
final class Offers {
  /** The scheduler binds within milliseconds; what it does not bind in this time it has dropped. */
  static final Duration ASSUMED = Duration.ofSeconds(10);

  /** The scheduler lets a pod wait for up to ten seconds before it tries it again. */
  static final Duration WOKEN = Duration.ofSeconds(20);

  /** The members of a group come one after the other, some after a back-off. */
  static final Duration BOOKED = Duration.ofSeconds(60);

  private final Fleet fleet;
  private final Holdings holdings;
  private final WaitingPods waiting;
  private final DemandReader reader;
  private final NodeChoice choice;

  /** PodGroups that are gangs, by namespace and name. */
  private final Map<String, Group> gangs = new HashMap<>();

  Offers(
      Fleet fleet, Holdings holdings, WaitingPods waiting, DemandReader reader, NodeChoice choice) {
    this.fleet = fleet;
    this.holdings = holdings;
    this.waiting = waiting;
    this.reader = reader;
    this.choice = choice;
  }

  /** Where a pod could go among some nodes; the best place is kept for it for a while. */
  Candidates offer(PodFacts pod, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    var before = holdings.of(pod.uid()).filter(holding -> holding.state() == State.ASSUMED);
    var found = among(pod, nodes, now, now.plus(ASSUMED), crowd);
    if (found instanceof Candidates.Nowhere) {
      before
          .map(Holding::node)
          .filter(node -> !nodes.contains(node))
          .ifPresent(node -> waiting.keptInVain(pod.uid(), node));
      wasRefused(pod);
    } else {
      waiting.accept(pod.uid());
    }
    return found;
  }

  private Candidates among(
      PodFacts pod, List<String> nodes, Instant now, Instant until, ToLongFunction<String> crowd) {
    var gang = gang(pod);
    return gang.isPresent()
        ? member(pod, gang.get(), nodes, now, crowd)
        : alone(pod, nodes, until, crowd);
  }

  /** The group with its size; pods of a PodGroup that is no gang, or not there, are alone. */
  private Optional<Group> gang(PodFacts pod) {
    return pod.group()
        .flatMap(
            group ->
                group.size() == Group.AS_ITS_POD_GROUP_SAYS
                    ? Optional.ofNullable(gangs.get(pod.namespace() + "/" + group.name()))
                    : Optional.of(group));
  }

  /** So many pods of a PodGroup are placed together; empty when it is no gang or has gone. */
  void podGroup(String namespace, String name, OptionalInt least) {
    var group = Group.ofPodGroup(name).name();
    var key = namespace + "/" + group;
    var before =
        least.isPresent() ? gangs.put(key, new Group(group, least.getAsInt())) : gangs.remove(key);
    if (!Objects.equals(before, gangs.get(key))) {
      waiting.groupChanged();
    }
  }

  private Candidates alone(
      PodFacts pod, List<String> nodes, Instant until, ToLongFunction<String> crowd) {
    var before = holdings.of(pod.uid());
    if (before.isPresent() && before.get().state() == State.ASSUMED) {
      giveBack(pod.uid());
    }
    var found = choice.among(pod, reader.read(pod), nodes, holdings::used, crowd);
    if (!holdings.has(pod.uid())) {
      found.best().ifPresent(place -> holdings.hold(assumed(pod, place, found.nodes(), until)));
    }
    return found.candidates();
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

  /** The scheduler preferred another node than the first. */
  Optional<Holding> moved(PodFacts pod, PodDemand demand, String node, Instant now) {
    giveBack(pod.uid());
    return choice
        .among(pod, demand, List.of(node), holdings::used, _ -> 0)
        .best()
        .map(place -> assumed(pod, place, List.of(), now));
  }

  /**
   * A member of a group waits until all members are there and all have a place; then each is
   * offered its own. So of two groups that do not fit together one has all and the other nothing.
   */
  private Candidates member(
      PodFacts pod, Group group, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    if (!waiting.has(pod.uid())) {
      waiting.put(pod);
    }
    var booked = holdings.of(pod.uid());
    if (booked.isPresent() && nodes.contains(booked.get().node())) {
      return new Candidates.Nodes(List.of(booked.get().node()));
    }
    releaseGroup(pod.namespace(), group);
    var absent = waiting.of(pod.namespace(), group);
    long there = absent.size() + placedMembers(pod.namespace(), group);
    if (there < group.size()) {
      return refuse(
          nodes,
          "%d of the %d pods of group %s are there".formatted(there, group.size(), group.name()));
    }
    boolean asksNothing = false;
    for (var member : absent) {
      if (!holdings.has(member.uid())) {
        var found = alone(member, nodes, now.plus(BOOKED), crowd);
        there -= found instanceof Candidates.Nowhere ? 1 : 0;
        asksNothing |= found instanceof Candidates.Anywhere && member.uid().equals(pod.uid());
      }
    }
    if (there < group.size()) {
      releaseGroup(pod.namespace(), group);
      return refuse(nodes, "there is no room for all pods of group " + group.name());
    }
    return place(pod, nodes, asksNothing);
  }

  /** That of a member of a group that is placed, which may be larger than it has to be. */
  private Candidates place(PodFacts pod, List<String> nodes, boolean asksNothing) {
    var place = holdings.of(pod.uid());
    if (place.isPresent()) {
      return new Candidates.Nodes(List.of(place.get().node()));
    }
    return asksNothing
        ? new Candidates.Anywhere()
        : refuse(nodes, "there is no room beside the other pods of the group");
  }

  private long placedMembers(String namespace, Group group) {
    return holdings
        .all()
        .map(Holding::pod)
        .filter(pod -> pod.isOf(namespace, group) && !waiting.has(pod.uid()))
        .count();
  }

  private static Candidates refuse(List<String> nodes, String reason) {
    var reasons = new HashMap<String, String>();
    nodes.forEach(node -> reasons.put(node, reason));
    return new Candidates.Nowhere(reasons, Set.of());
  }

  /** Gives back what is booked for members that are not being bound. */
  private void releaseGroup(String namespace, Group group) {
    for (var holding : holdings.assumed()) {
      if (holding.pod().isOf(namespace, group)) {
        giveBack(holding.pod().uid());
      }
    }
  }

  /** As {@link Ledger#awaken}. */
  List<PodFacts> awaken(int most, Instant now) {
    if (!waiting.haveNewHope()) {
      return List.of();
    }
    var roomier = waiting.roomier();
    var awake = new ArrayList<PodFacts>();
    var hopeless = new HashSet<Object>();
    for (var refused : waiting.inOrder()) {
      if (awake.size() == most) {
        return awake;
      }
      if (!hopeless.contains(refused.kind())) {
        if (hasRoom(refused, roomier, now)) {
          waiting.accept(refused.pod().uid());
          awake.add(refused.pod());
        } else {
          hopeless.add(refused.kind());
        }
      }
    }
    waiting.settle();
    return awake;
  }

  /** Books it, if there is any. A group may be placed anywhere once something has changed. */
  private boolean hasRoom(WaitingPods.Refused refused, List<String> roomier, Instant now) {
    var nodes = refused.among(refused.pod().group().isPresent() ? fleet.names() : roomier);
    return among(refused.pod(), nodes, now, now.plus(WOKEN), _ -> 0) instanceof Candidates.Nodes;
  }

  /** A pod that waits was refused, by whoever answered the scheduler then. */
  void wasRefused(PodFacts pod) {
    var demand = reader.read(pod);
    if (!(demand instanceof PodDemand.Refused)) {
      waiting.refuse(pod, demand);
    }
  }

  /** What a pod held is free again, and what is booked for the other members of its group. */
  void withdraw(String uid) {
    var pod = holdings.of(uid).map(Holding::pod);
    giveBack(uid);
    pod.ifPresent(
        member -> gang(member).ifPresent(group -> releaseGroup(member.namespace(), group)));
  }

  /** What a pod held is free again. */
  void giveBack(String uid) {
    holdings.release(uid).ifPresent(holding -> waiting.roomOn(holding.node()));
  }

  /** What nobody took in time is free again. */
  void expire(Instant now) {
    for (var late = holdings.expired(now); late.isPresent(); late = holdings.expired(now)) {
      withdraw(late.get().pod().uid());
    }
  }
}
