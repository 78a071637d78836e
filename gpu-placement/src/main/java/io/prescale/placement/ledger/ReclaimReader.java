package io.prescale.placement.ledger;

import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.ledger.Holding.State;
import io.prescale.placement.notice.Claimant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what taking back needs to know. For one thread at a time. */
final class ReclaimReader {
  private final Fleet fleet;
  private final Holdings holdings;
  private final WaitingPods waiting;
  private final QueueAccounts queues;
  private final DemandReader reader;
  private final PodGroups groups;
  private final PodGangs gangs;

  ReclaimReader(
      Fleet fleet,
      Holdings holdings,
      WaitingPods waiting,
      QueueAccounts queues,
      DemandReader reader,
      PodGroups groups) {
    this.fleet = fleet;
    this.holdings = holdings;
    this.waiting = waiting;
    this.queues = queues;
    this.reader = reader;
    this.groups = groups;
    gangs = new PodGangs(holdings, waiting, queues);
  }

  /**
   * What there is now; empty without queues.
   *
   * @param noticed claims for which pods have their notice; they count even if they were not
   *     refused since this replica answers
   * @param suspended what a pod of suspended work looks like, by a key
   */
  Optional<ReclaimFacts> read(Set<String> noticed, Map<String, PodFacts> suspended) {
    var asks = new HashMap<String, ReclaimFacts.Ask>();
    suspended.forEach((key, pod) -> ask(pod).ifPresent(ask -> asks.put(key, ask)));
    return queues
        .balance()
        .map(
            balance ->
                new ReclaimFacts(
                    fleet.cluster(),
                    balance.tree(),
                    balance.capacity(),
                    balance.used(),
                    balance.demand(),
                    held(),
                    claimants(balance, noticed),
                    asks));
  }

  private List<ReclaimFacts.Held> held() {
    return holdings
        .all()
        .filter(holding -> holding.state() == State.SEEN && holding.placement().isPresent())
        .flatMap(
            holding ->
                queues.payer(holding.pod().uid()).stream()
                    .map(
                        queue ->
                            new ReclaimFacts.Held(
                                holding.pod(), queue, groups.gangOf(holding.pod()))))
        .toList();
  }

  private List<Claimant> claimants(QueueBalance balance, Set<String> noticed) {
    var claims = new ArrayList<Claimant>();
    var known = new HashSet<String>();
    for (var pod : waiting.all().toList()) {
      var group = groups.gangOf(pod);
      var key = key(pod, group);
      boolean counts = waiting.isRefused(pod.uid()) || noticed.contains(key);
      if (counts && balance.tree().isLeaf(queues.queueOf(pod)) && known.add(key)) {
        var claim = group.isEmpty() ? alone(key, pod) : together(key, pod, group.get());
        claim.ifPresent(claims::add);
      }
    }
    return claims;
  }

  private static String key(PodFacts pod, Optional<Group> group) {
    return group.map(of -> pod.namespace() + "/" + of.name()).orElse(pod.uid());
  }

  private Optional<Claimant> alone(String key, PodFacts pod) {
    return holdings.has(pod.uid()) ? Optional.empty() : claim(key, List.of(pod), 1);
  }

  /** Only gangs of one queue all of whose members are there. */
  private Optional<Claimant> together(String key, PodFacts pod, Group group) {
    var gang = gangs.of(pod, group);
    boolean isOfOneQueue = gang.absent().stream().map(queues::queueOf).distinct().count() == 1;
    return isOfOneQueue && gang.there() >= group.size() && group.size() > gang.placed()
        ? claim(key, gang.absent(), group.size() - gang.placed())
        : Optional.empty();
  }

  private Optional<Claimant> claim(String key, List<PodFacts> pods, long needed) {
    var asks =
        pods.stream()
            .flatMap(pod -> ask(pod).stream())
            .sorted(Comparator.comparingLong(ReclaimFacts.Ask::milli))
            .limit(needed)
            .toList();
    if (asks.isEmpty()) {
      return Optional.empty();
    }
    var first = pods.getFirst();
    return Optional.of(
        new Claimant(
            key,
            queues.queueOf(first),
            Set.copyOf(pods.stream().map(PodFacts::uid).toList()),
            asks.stream().map(ReclaimFacts.Ask::shape).toList(),
            asks.stream().mapToLong(ReclaimFacts.Ask::milli).sum(),
            nodes(pods),
            first.priority(),
            pods.stream().map(PodFacts::created).min(Comparator.naturalOrder()).orElseThrow()));
  }

  private Optional<ReclaimFacts.Ask> ask(PodFacts pod) {
    var demand = reader.read(pod);
    return demand instanceof PodDemand.Cards cards
        ? Optional.of(
            new ReclaimFacts.Ask(queues.queueOf(pod), cards.shape(), queues.leastOf(demand)))
        : Optional.empty();
  }

  /** The nodes that the scheduler considers for all pods about which it has asked. */
  private Optional<Set<String>> nodes(List<PodFacts> pods) {
    var asked = new ArrayList<Set<String>>();
    pods.forEach(pod -> waiting.askedAbout(pod.uid()).ifPresent(asked::add));
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    var common = new HashSet<>(asked.getFirst());
    asked.forEach(common::retainAll);
    return Optional.of(common);
  }
}
