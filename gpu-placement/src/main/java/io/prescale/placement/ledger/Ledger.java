package io.prescale.placement.ledger;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.NetworkLevels;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.overcommit.ObservedMemory;
import io.prescale.placement.overcommit.OvercommitRule;
import io.prescale.placement.queue.QueueEntry;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Knows which pod holds which cards. Callers report nodes and pods as the API server has them; what
 * was offered is assumed for a while, and what is being bound is held until the pod is seen on its
 * node. Thread-safe: every call holds one lock, at 5,000 nodes for a few milliseconds, and for
 * tenths of a second to search for a gang of a thousand pods.
 */
public final class Ledger {
  private final Fleet fleet = new Fleet();
  private final WaitingPods waiting = new WaitingPods();
  private final PodQueues podQueues = new PodQueues();
  private final DemandReader reader = new DemandReader(fleet::models, podQueues::permitted);
  private final QueueAccounts queues = new QueueAccounts(fleet, reader, waiting, podQueues);
  private final Holdings holdings = new Holdings(fleet, queues);
  private final PodGroups groups = new PodGroups();
  private final CardKeeping kept =
      new CardKeeping(new Nominations(fleet, holdings, waiting, reader));
  private final ReclaimReader reclaim;
  private final RequestsInUse requests;
  private final MoveReader moves;
  private final Preemption preemption;
  private final Offers offers;
  private final Awakening awakening;
  private final RecentDecisions recent = new RecentDecisions();
  private final GangDomains domains;

  /** That of an empty cluster, with shortlists of at most so many nodes, and levels for gangs. */
  public Ledger(int candidates, NetworkLevels levels) {
    domains = new GangDomains(fleet, holdings, levels);
    var choice = new NodeChoice(fleet, kept, candidates);
    offers = new Offers(fleet, holdings, waiting, queues, reader, choice, groups, domains);
    awakening = new Awakening(waiting, queues, offers, kept, fleet, reader);
    reclaim = new ReclaimReader(fleet, holdings, waiting, queues, reader, groups, kept, domains);
    preemption = new Preemption(fleet, holdings, queues, reader, groups, kept);
    requests = new RequestsInUse(holdings, waiting, reader);
    moves = new MoveReader(fleet, holdings, waiting, queues, reader, groups, kept, requests);
  }

  /** A ledger with the levels of the network that are known by their labels. */
  public Ledger(int candidates) {
    this(candidates, NetworkLabels.KNOWN);
  }

  /** The levels of the network within which gangs can be kept. */
  public synchronized NetworkLevels levels() {
    return domains.levels();
  }

  /** Replaces the levels, and all nodes, with their positions on these. */
  public synchronized void levels(NetworkLevels now, Collection<NodeFacts> nodes) {
    domains.levels(now);
    nodes.forEach(this::seen);
  }

  /** Records the newest state of a node. */
  public synchronized void seen(NodeFacts node) {
    fleet.put(node, holdings::placements).forEach(waiting::roomOn);
  }

  /** Removes a node that is gone. */
  public synchronized void nodeGone(String node) {
    fleet.remove(node, holdings::placements).forEach(waiting::roomOn);
  }

  /** Records the specification (JSON) of a node's Device of Koordinator; empty if it is gone. */
  public synchronized void koordinatorSeen(String node, Optional<String> spec) {
    fleet.koordinator(node, spec, holdings::placements).forEach(waiting::roomOn);
  }

  /** Records how many pods of a PodGroup are placed together; empty unless it is a gang. */
  public synchronized void podGroupSeen(
      String namespace, String name, OptionalInt least, Nearness nearness) {
    offers.podGroupSeen(namespace, name, least, nearness);
  }

  /** Replaces the queues, a tree; without any, pods are placed whatever their queue. */
  public synchronized void queues(Collection<QueueEntry> tree) {
    queues.replace(tree, holdings.all());
  }

  /** Records the queue of a namespace's pods that name none, or of those that name namespace/x. */
  public synchronized void queueNamed(String name, Optional<String> queue) {
    queues.named(name, queue, holdings.all());
  }

  /** Observes what pods have and wait for; by that of the last week fragmentation is measured. */
  public synchronized void observeRequests(Instant now) {
    requests.observe(now);
  }

  /** The requests by which fragmentation is measured. */
  public synchronized TargetWorkload workload() {
    return requests.workload();
  }

  /** What taking back has to know; empty without queues and bookings. Records asks from now on. */
  public synchronized Optional<ReclaimFacts> reclaimFacts(ReclaimQuestion question) {
    return reclaim.read(question);
  }

  /** How often a pod whose queue is owed its cards was newly refused. */
  public synchronized long refusalsOwed() {
    return offers.refusalsOwed();
  }

  /** Replaces the cards that are kept for claims and bookings; only their pods get them. */
  public synchronized void keep(Collection<KeptCards> now) {
    fleet.nodesOf(kept.replace(now)).forEach(waiting::roomOn);
  }

  /** What moves need to know; records asks from now on. */
  public synchronized MoveFacts moveFacts() {
    return moves.read();
  }

  /** Replaces the cards that are kept for pods that move, and what they free. */
  public synchronized void keepForMoves(Collection<KeptCards> now) {
    fleet.nodesOf(kept.replaceForMoves(now)).forEach(waiting::roomOn);
  }

  /** Every queue as it is now, a parent before its children; empty without queues. */
  public synchronized List<QueueState> queues() {
    return queues.states();
  }

  /** Replaces the conditions of all cards, by UUID; the condition of others is unknown. */
  public synchronized void conditions(Map<String, CardReading> now) {
    fleet.conditions(now, holdings::placements).forEach(waiting::roomOn);
  }

  /** Replaces what is known of the memory in use, by which cards promise more than they have. */
  public synchronized void memory(OvercommitRule rule, ObservedMemory observed) {
    holdings.memory(rule, observed).forEach(waiting::roomOn);
  }

  /** The nodes of the cards that this ledger gives out or that its pods hold, by UUID. */
  public synchronized Map<String, String> nodesOfCards() {
    return fleet.nodesOfCards();
  }

  /** Which pod has which part of which card; made of a snapshot, so that no call waits for it. */
  public List<CardUse> uses() {
    return CardUse.of(cluster());
  }

  /** Records the newest state of a pod; one that is deleted before it is bound is gone. */
  public synchronized void seen(PodFacts pod) {
    if (pod.phase() == PodFacts.Phase.FINISHED || (pod.node().isEmpty() && pod.isLeaving())) {
      podGone(pod.uid());
    } else if (pod.node().isEmpty()) {
      waiting.seen(pod);
      queues.await(pod);
    } else {
      offers.waitsNoMore(pod.uid());
      holdings.observe(pod, pod.node().get()).ifPresent(waiting::roomOn);
    }
  }

  /** Removes a pod that is gone, or no longer holds anything. */
  public synchronized void podGone(String uid) {
    offers.podGone(uid);
  }

  /** Records that a waiting pod was refused, perhaps by another replica. */
  public synchronized void wasRefused(PodFacts pod) {
    offers.wasRefused(pod, false);
  }

  /**
   * Where a pod could go.
   *
   * @param assume whether the best place is assumed for the pod; false for a dry run
   * @param crowd how many places down the list a node goes because pods wait there
   */
  public synchronized Candidates candidates(
      PodFacts pod, List<String> nodes, boolean assume, Instant now, ToLongFunction<String> crowd) {
    if (!assume) {
      return offers.look(pod, nodes, now, crowd);
    }
    var found = offers.offer(pod, nodes, now, crowd);
    recent.answered(now, pod.display(), found);
    return found;
  }

  /**
   * The refused pods for which there is room now, {@code most} of them. A place is reserved for
   * each until the scheduler asks for it, and it is not returned again before its next refusal.
   */
  public synchronized List<PodFacts> awaken(int most, Instant now) {
    return awakening.awaken(most, now);
  }

  /** Releases the place of a pod from {@link #awaken} if kube-scheduler was not notified. */
  public synchronized void notWoken(PodFacts pod) {
    offers.notWoken(pod);
  }

  /** Releases the place of a pod that is not bound after all, and what its gang has reserved. */
  public synchronized void failed(String uid, Instant now) {
    offers.failed(uid, now).map(PodFacts::display).ifPresent(recent::withdraw);
  }

  /** The nodes that were best for a pod last, the best first; empty when its offer is over. */
  public synchronized List<String> shortlist(String uid) {
    return holdings.of(uid).map(it -> it.ranked().nodes()).orElse(List.of());
  }

  /** Decides which cards a pod gets on the scheduler's node; {@link #failed} gives them back. */
  public synchronized Decision decide(String uid, String node, Instant now) {
    offers.expire(now);
    var ranked = holdings.of(uid).map(Holding::ranked).orElse(Ranked.NONE);
    var decision = offers.decide(uid, node, now);
    if (decision instanceof Decision.Bind(var pod, _, _) && holdings.has(uid)) {
      recent.bound(now, pod.display(), node, ranked);
    }
    return decision;
  }

  /** By which right a pod has its cards, if they are known one by one and a queue pays for them. */
  public synchronized Map<String, QuotaUse> quotaUses(Collection<String> uids) {
    return QuotaUse.of(
        uids, uid -> holdings.of(uid).flatMap(Holding::placement).flatMap(_ -> queues.useOf(uid)));
  }

  /** The newest decisions, the newest first. */
  public synchronized List<PlacementDecision> decisions() {
    return recent.all();
  }

  /** The nodes with cards that are known one by one, and what is placed on them. */
  public synchronized ClusterSnapshot cluster() {
    return fleet.cluster();
  }

  /** The pod of a UID, if it holds something. */
  public synchronized Optional<PodFacts> holder(String uid) {
    return holdings.of(uid).map(Holding::pod);
  }

  /** Whether a pod, as far as is known, is not bound and asks for cards that are chosen. */
  public synchronized boolean waitsForCards(String uid) {
    return waiting.of(uid).map(reader::read).filter(PodDemand.Cards.class::isInstance).isPresent();
  }

  /** The other pods of a node that a device plugin could take for this one, not started. */
  public synchronized List<PodFacts> othersUnstarted(String node, String uid) {
    return holdings.othersUnstarted(node, uid);
  }

  /** One sentence for each device or record that is left out, by node. */
  public synchronized Map<String, List<String>> problems() {
    return holdings.problems(fleet.problems());
  }

  /** What a pod's demand takes, and which models could serve it. */
  public synchronized CardPart partOf(PodFacts pod) {
    var part = fleet.amounts().partOf(reader.read(pod));
    return podQueues.permitted(pod, part.models()).map(part::among).orElse(part);
  }

  /** Sums over the cluster. */
  public synchronized Totals totals() {
    return Totals.of(fleet.cluster(), holdings.size(), waiting.refused());
  }

  /** The pod of a name that is on a node or is being bound to it. */
  public synchronized Optional<PodFacts> podOn(String node, String namespace, String name) {
    return holdings.podOn(node, namespace, name);
  }

  /** UIDs of the pods that leave nodes for a pod, the most important first; no node in vain. */
  public synchronized Map<String, List<String>> victims(
      PodFacts pod, Map<String, List<String>> given, Set<String> giving) {
    return preemption.victims(pod, given, giving);
  }
}
