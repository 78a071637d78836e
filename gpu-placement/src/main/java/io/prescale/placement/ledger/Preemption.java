package io.prescale.placement.ledger;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static java.util.stream.Collectors.toSet;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.ledger.Holding.State;
import io.prescale.placement.ledger.QueueAccounts.Charge;
import io.prescale.placement.queue.ReclaimBudget;
import io.prescale.placement.reclaim.Preemptor;
import io.prescale.placement.reclaim.ReclaimRequest;
import io.prescale.placement.vacancy.RunningPods;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the pods that have to leave a node at once so that a more important one fits it. As for
 * taking back, pods of other queues leave only as far as the pod's queue is owed what these have
 * beyond their due, and what is leaving them already counts as given; gangs leave whole, and pods
 * that say so never. Pods of its own queue leave by priority alone. Not thread-safe.
 */
final class Preemption {
  private static final RequestShape NO_CARDS = RequestShape.of(0, new GpuDemand.NoGpu());

  private final Fleet fleet;
  private final Holdings holdings;
  private final QueueAccounts queues;
  private final DemandReader reader;
  private final PodGroups groups;
  private final CardKeeping kept;
  private final Preemptor preemptor = new Preemptor(new LinkedCards());

  Preemption(
      Fleet fleet,
      Holdings holdings,
      QueueAccounts queues,
      DemandReader reader,
      PodGroups groups,
      CardKeeping kept) {
    this.fleet = fleet;
    this.holdings = holdings;
    this.queues = queues;
    this.reader = reader;
    this.groups = groups;
    this.kept = kept;
  }

  /**
   * As {@link Preemptor}; for a pod whose cards are not known one by one, the given pods with their
   * gangs.
   *
   * @param given pods that leave in any case, by node
   * @return their UIDs by node, the most important first, since kube-scheduler compares nodes by
   *     the first; without the nodes that the pod does not fit even then, and those where one of
   *     the given may not leave
   */
  Map<String, List<String>> victims(
      PodFacts pod, Map<String, List<String>> given, Set<String> giving) {
    if (given.isEmpty()) {
      return Map.of();
    }
    var own = queues.podQueues().payerOf(pod);
    var terms = new Terms(pod, shape(pod), own, budget(pod), giving, gangsOn(given.keySet()));
    var found = new HashMap<String, List<String>>();
    given.forEach(
        (node, uids) -> victims(terms, node, uids).ifPresent(all -> found.put(node, all)));
    return found;
  }

  private Optional<List<String>> victims(Terms terms, String node, List<String> given) {
    var leaving = Set.copyOf(given);
    var running =
        RunningPods.of(
            ClusterSnapshot.ofNodes(List.of(withRights(node, terms, leaving))),
            it -> cost(it.request().name(), terms.own()).map(Charge::milli).orElse(0L));
    return preemptor
        .decide(running, request(node, terms), leaving, fleet.stacking())
        .map(victims -> mostImportantFirst(given, victims));
  }

  private RequestShape shape(PodFacts pod) {
    return reader.read(pod) instanceof PodDemand.Cards asked
        ? asked.without(kept.forOthersThan(pod)).shape()
        : NO_CARDS;
  }

  /** Of equals, those that were given first. */
  private List<String> mostImportantFirst(List<String> given, List<String> victims) {
    var uids = new LinkedHashSet<>(given);
    victims.stream().sorted().forEach(uids::add);
    return uids.stream().sorted(Comparator.comparingInt(this::priority).reversed()).toList();
  }

  private int priority(String uid) {
    return holdings.of(uid).map(it -> it.pod().priority()).orElse(Integer.MIN_VALUE);
  }

  /**
   * For whom pods leave.
   *
   * @param shape what it asks for, on the cards that it may have
   * @param own the queue that pays for it
   * @param budget what other queues may give; empty if nothing
   * @param giving queues that give back by notice
   * @param gangs all members of the gangs on the nodes
   */
  private record Terms(
      PodFacts pod,
      RequestShape shape,
      String own,
      Optional<ReclaimBudget> budget,
      Set<String> giving,
      Map<String, List<Holding>> gangs) {}

  /** What other queues may give, of which pods that are leaving give a part already. */
  private Optional<ReclaimBudget> budget(PodFacts pod) {
    var own = queues.podQueues().payerOf(pod);
    var budget =
        queues
            .balance()
            .filter(it -> it.tree().isLeaf(own))
            .map(it -> it.ledger().withHeld(held()).reclaimFor(own, queues.leastOf(pod)));
    budget.ifPresent(
        it ->
            holdings.leaving().stream()
                .flatMap(uid -> chargeOfOther(uid, own).stream())
                .forEach(
                    gone ->
                        it.take(gone.queue(), Math.min(gone.milli(), it.roomOf(gone.queue())))));
    return budget;
  }

  /** What the pods of queues have, without what was only offered. */
  private Map<String, Long> held() {
    return holdings
        .all()
        .filter(it -> !it.isAssumed())
        .flatMap(it -> queues.chargeFor(it.pod().uid()).stream())
        .collect(groupingBy(Charge::queue, summingLong(Charge::milli)));
  }

  private Optional<Charge> chargeOfOther(String uid, String own) {
    return queues.chargeFor(uid).filter(it -> !it.queue().equals(own));
  }

  /** What another queue gives with a pod, unless it leaves anyhow. */
  private Optional<Charge> cost(String uid, String own) {
    return chargeOfOther(uid, own).filter(_ -> !holdings.leaving().contains(uid));
  }

  /** A node with what is on its cards, and its given pods and those of gangs without cards. */
  private GpuNode withRights(String name, Terms terms, Set<String> given) {
    var known = fleet.cluster().find(name);
    var node = GpuNode.of(known.map(GpuNode::spec).orElse(new NodeSpec(name, 0, 0, List.of())));
    for (var holding : holdings.on(name).toList()) {
      var uid = holding.pod().uid();
      var place = known.flatMap(it -> it.placementOf(uid));
      if (place.isPresent() || given.contains(uid) || gangOf(holding).isPresent()) {
        var shape = place.map(it -> it.request().shape()).orElse(NO_CARDS);
        var shares = place.map(Placement::shares).orElse(List.of());
        var request = new GpuRequest(uid, shape, rights(holding, terms, given));
        node = node.with(new Placement(request, name, shares));
      }
    }
    return node;
  }

  /**
   * Whether a pod may leave, and which queue gives it, which is the own one if it costs no other.
   */
  private Standing rights(Holding holding, Terms terms, Set<String> given) {
    var pod = holding.pod();
    var cost = cost(pod.uid(), terms.own());
    boolean mayLeave =
        pod.priority() < terms.pod().priority()
            && !pod.isNeverTaken()
            // kube-scheduler may not know yet of one that was not seen bound.
            && (holding.state() == State.SEEN || given.contains(pod.uid()))
            && (cost.isEmpty() || terms.budget().isPresent())
            && cost.filter(it -> terms.giving().contains(it.queue())).isEmpty();
    var queue = cost.map(Charge::queue).orElse(terms.own());
    return new Standing(queue, pod.priority(), mayLeave, gangOf(holding));
  }

  private Optional<String> gangOf(Holding holding) {
    var pod = holding.pod();
    return groups.gangOf(pod).map(it -> pod.namespace() + "/" + it.name());
  }

  /** A gang with pods elsewhere never ends: kube-scheduler deletes pods of one node only. */
  private ReclaimRequest request(String node, Terms terms) {
    var minimum = new HashMap<String, Integer>();
    var lasting = new HashSet<String>();
    for (var name : holdings.on(node).flatMap(it -> gangOf(it).stream()).collect(toSet())) {
      var members = Objects.requireNonNull(terms.gangs().get(name));
      long elsewhere = members.stream().filter(it -> !it.node().equals(node)).count();
      minimum.put(name, (int) Math.max(0, size(members) - elsewhere));
      if (elsewhere > 0) {
        lasting.add(name);
      }
    }
    var standing = new Standing(terms.own(), terms.pod().priority(), false, Optional.empty());
    var request = new GpuRequest(terms.pod().uid(), terms.shape(), standing);
    return new ReclaimRequest(List.of(request), terms.budget(), minimum, Map.of(), lasting);
  }

  /** All members of the gangs that have some on the nodes. */
  private Map<String, List<Holding>> gangsOn(Set<String> nodes) {
    var gangs =
        nodes.stream().flatMap(holdings::on).flatMap(it -> gangOf(it).stream()).collect(toSet());
    return gangs.isEmpty()
        ? Map.of()
        : holdings
            .all()
            .filter(it -> gangOf(it).filter(gangs::contains).isPresent())
            .collect(groupingBy(it -> gangOf(it).orElseThrow()));
  }

  /** How many a gang needs, the most that one of its pods says. */
  private int size(List<Holding> members) {
    return members.stream()
        .flatMap(it -> groups.gangOf(it.pod()).stream())
        .mapToInt(Group::size)
        .max()
        .orElseThrow();
  }
}
