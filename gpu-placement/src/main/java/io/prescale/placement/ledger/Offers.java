package io.prescale.placement.ledger;

import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Holding.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;

/**
 * Offers places to pods, alone or as gangs, and releases those that are not taken in time. Not
 * thread-safe.
 */
final class Offers {
  /** A bound pod is observed within seconds; the limit is for one that never is. */
  private static final Duration BINDING = Duration.ofMinutes(10);

  /** A pod may be asked about before it is seen, but only for a moment. */
  private static final Duration UNSEEN = Duration.ofSeconds(30);

  /**
   * The scheduler binds within milliseconds; a pod that it has not bound in this time is dropped.
   */
  static final Duration ASSUMED = Duration.ofSeconds(10);

  /** The scheduler lets a pod wait for up to ten seconds before it tries it again. */
  static final Duration WOKEN = Duration.ofSeconds(20);

  private final Fleet fleet;
  private final Holdings holdings;
  private final WaitingPods waiting;
  private final QueueAccounts queues;
  private final DemandReader reader;
  private final PermittedPlaces places;
  private final PodGangs gangs;
  private final PodGroups groups;
  private final Assumptions assumptions;
  private final GangOffers gangOffers;
  private long refusalsOwed;

  Offers(
      Fleet fleet,
      Holdings holdings,
      WaitingPods waiting,
      QueueAccounts queues,
      DemandReader reader,
      NodeChoice choice,
      PodGroups groups,
      GangDomains domains) {
    this.fleet = fleet;
    this.groups = groups;
    this.queues = queues;
    this.holdings = holdings;
    this.waiting = waiting;
    this.reader = reader;
    this.gangs = new PodGangs(holdings, waiting, queues);
    this.places = new PermittedPlaces(fleet, holdings, queues, choice);
    this.assumptions = new Assumptions(holdings, waiting, reader, places);
    this.gangOffers = new GangOffers(assumptions, holdings, waiting, gangs, domains);
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
    expire(now);
    var before = holdings.of(pod.uid()).filter(Holding::isAssumed);
    waiting.expectUntil(pod.uid(), now.plus(UNSEEN));
    queues.await(pod);
    var search = among(pod, nodes, now, now.plus(ASSUMED), crowd);
    var found = search.found();
    if (found instanceof Candidates.Nowhere || found.isPostponed()) {
      before
          .map(Holding::node)
          .filter(node -> !nodes.contains(node))
          .ifPresent(node -> waiting.reservedInVain(pod.uid(), node));
    }
    boolean isNews = !waiting.isRefused(pod.uid());
    if (found.isRefusal()) {
      wasRefused(pod, found instanceof Candidates.HeldBack);
      waiting.recordAsk(pod.uid(), nodes);
    } else {
      waiting.accept(pod.uid());
    }
    tried(pod.uid(), search);
    if (isNews && waiting.isRefused(pod.uid()) && isOwed(pod, search.least())) {
      refusalsOwed++;
    }
    return found;
  }

  /** What was not looked for keeps its place in the queue as it was. */
  private void tried(String uid, Search search) {
    if (!search.found().isPostponed()) {
      queues.tried(uid, search.least(), search.together(), search.found());
    }
  }

  private boolean isOwed(PodFacts pod, long milli) {
    return queues.balance().filter(it -> it.isOwed(queues.queueOf(pod), milli)).isPresent();
  }

  /** As {@link Ledger#refusalsOwed}. */
  long refusalsOwed() {
    return refusalsOwed;
  }

  private Search among(
      PodFacts pod, List<String> nodes, Instant now, Instant until, ToLongFunction<String> crowd) {
    var group = groups.gangOf(pod);
    var found =
        group.isEmpty()
            ? assumptions.assume(pod, nodes, now, until, crowd)
            : gangOffers.member(pod, group.get(), nodes, now, crowd);
    long least = queues.leastOf(pod);
    boolean waitsTogether = group.isPresent() && found.isRefusal() && !found.isPostponed();
    return new Search(found, least, waitsTogether ? gangs.together(pod, group.get()) : least);
  }

  /** As {@link Ledger#podGroupSeen}. */
  void podGroupSeen(String namespace, String name, OptionalInt least, Nearness nearness) {
    if (groups.put(namespace, name, least, nearness)) {
      waiting.groupChanged();
    }
  }

  /** As {@link Ledger#candidates}, without assuming a place. */
  Candidates look(PodFacts pod, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    expire(now);
    return places.among(pod, reader.read(pod), nodes, now, crowd).candidates();
  }

  /** As {@link Ledger#decide}. */
  Decision decide(String uid, String node, Instant now) {
    var offered = holdings.of(uid);
    if (offered.isPresent() && !offered.get().isAssumed()) {
      return new Decision.Refused(
          "pod %s is being bound to node %s already"
              .formatted(offered.get().pod().display(), offered.get().node()));
    }
    var known = offered.map(Holding::pod).or(() -> waiting.of(uid));
    if (known.isEmpty()) {
      return new Decision.Refused("there is no waiting pod with UID %s".formatted(uid));
    }
    var pod = known.get();
    var demand = reader.read(pod);
    if (demand instanceof PodDemand.None) {
      return new Decision.Bind(pod, node, Optional.empty());
    }
    var holding =
        offered
            .filter(it -> it.node().equals(node) && holdings.isStillThere(it))
            .or(() -> moved(pod, demand, node, now));
    if (holding.isEmpty()) {
      return new Decision.Refused(whyNot(pod, demand, node, now));
    }
    holdings.hold(holding.get().with(State.BINDING, now.plus(BINDING)));
    return new Decision.Bind(pod, node, Decision.Chosen.of(demand, holding.get().placement()));
  }

  /** Chooses a place on the node that the scheduler preferred to the best one. */
  private Optional<Holding> moved(PodFacts pod, PodDemand demand, String node, Instant now) {
    var offered = holdings.release(pod.uid());
    var best = places.among(pod, demand, List.of(node), now, _ -> 0).best();
    offered.ifPresent(it -> waiting.roomOn(it.node())); // no news before the search
    return best.map(place -> Assumptions.holding(pod, place, Ranked.NONE, now));
  }

  /** Why a pod has no place on the node that the scheduler preferred. */
  private String whyNot(PodFacts pod, PodDemand demand, String node, Instant now) {
    return places.among(pod, demand, List.of(node), now, _ -> 0).candidates()
            instanceof Candidates.HeldBack(var sentence, _)
        ? sentence
        : "node %s has no room for pod %s any more".formatted(node, pod.display());
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
    tried(uid, search);
  }

  /** As {@link Ledger#wasRefused}. */
  void wasRefused(PodFacts pod, boolean heldBack) {
    var demand = reader.read(pod);
    if (!(demand instanceof PodDemand.Refused) && !pod.isLeaving()) {
      waiting.refuse(pod, demand, heldBack);
    }
  }

  /**
   * As {@link Ledger#failed}. Where another pod of the gang is bound, which is of no use alone, the
   * place is kept for it, and it is offered another node first.
   *
   * @return the pod; empty if it has no place, or was observed on a node
   */
  Optional<PodFacts> failed(String uid, Instant now) {
    var holding = holdings.of(uid).filter(it -> it.state() != State.SEEN);
    holding.ifPresent(
        it -> {
          if (isBoundInPart(it.pod())) {
            holdings.hold(it.with(State.FAILED, now.plus(GangOffers.RESERVED)));
          } else {
            withdraw(uid);
          }
        });
    return holding.map(Holding::pod);
  }

  /**
   * Releases the place of a pod, and what is reserved for the other members of its gang unless one
   * of them is bound.
   */
  void withdraw(String uid) {
    var pod = holdings.of(uid).map(Holding::pod);
    release(uid);
    pod.filter(member -> !isBoundInPart(member))
        .ifPresent(
            member ->
                groups
                    .gangOf(member)
                    .ifPresent(group -> assumptions.releaseGroup(member.namespace(), group)));
  }

  /** Whether another pod of the gang of a pod is bound or being bound, and stays. */
  private boolean isBoundInPart(PodFacts member) {
    var group = groups.gangOf(member);
    return group.isPresent()
        && holdings
            .all()
            .filter(it -> it.pod().isOf(member.namespace(), group.get()))
            .filter(it -> !it.pod().uid().equals(member.uid()))
            .anyMatch(it -> !it.isAssumed() && !it.pod().isLeaving());
  }

  /** As {@link Ledger#notWoken}. */
  void notWoken(PodFacts pod) {
    if (waiting.has(pod.uid())) {
      wasRefused(pod, false);
      withdraw(pod.uid());
    }
  }

  /** As {@link Ledger#podGone}. */
  void podGone(String uid) {
    waitsNoMore(uid);
    release(uid);
  }

  private void release(String uid) {
    assumptions.release(uid);
  }

  /** Releases what was not taken in time. */
  void expire(Instant now) {
    for (var late = holdings.expired(now); late.isPresent(); late = holdings.expired(now)) {
      withdraw(late.get().pod().uid());
    }
    for (var late = waiting.unseen(now); late.isPresent(); late = waiting.unseen(now)) {
      // Deleted before it was asked about: nothing else would forget it.
      waitsNoMore(late.get());
    }
  }

  void waitsNoMore(String uid) {
    waiting.remove(uid);
    queues.endWait(uid);
  }
}
