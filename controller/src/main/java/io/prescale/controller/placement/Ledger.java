package io.prescale.controller.placement;

import io.prescale.controller.inventory.CardReading;
import io.prescale.controller.inventory.DemandReader;
import io.prescale.controller.inventory.NodeFacts;
import io.prescale.controller.inventory.PodDemand;
import io.prescale.controller.inventory.PodFacts;
import io.prescale.controller.inventory.PodFacts.Group;
import io.prescale.controller.inventory.PodFacts.Phase;
import io.prescale.controller.inventory.PodUsage;
import io.prescale.controller.placement.Holding.State;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Which pod has which cards. Nodes and pods are told as the API server has them; what was offered
 * to the scheduler is assumed for a while, and what is being bound is held until it is seen.
 * Thread-safe: every call holds one lock, for at most a few milliseconds among 5,000 nodes.
 */
public final class Ledger {
  /** The scheduler binds within milliseconds; what it does not bind in this time it has dropped. */
  static final Duration ASSUMED = Duration.ofSeconds(10);

  /** The members of a group come one after the other, some after a back-off. */
  static final Duration BOOKED = Duration.ofSeconds(60);

  /** A binding that was made is seen within seconds; this is only in case that it never is. */
  static final Duration BINDING = Duration.ofMinutes(10);

  private final Fleet fleet = new Fleet();
  private final NodeChoice choice;
  private final DemandReader reader = new DemandReader(fleet::models);
  private final Map<String, Holding> holdings = new HashMap<>();
  private final Map<String, Set<String>> podsOf = new HashMap<>();
  private final Set<String> unseen = new HashSet<>();
  private final Map<String, PodFacts> waiting = new HashMap<>();

  /**
   * An empty cluster.
   *
   * @param candidates how many nodes the scheduler is offered at most
   */
  public Ledger(int candidates) {
    choice = new NodeChoice(fleet, candidates);
  }

  /** A node is as given. */
  public synchronized void seen(NodeFacts node) {
    fleet.put(node, this::placements);
  }

  /** A node is not there any more. */
  public synchronized void nodeGone(String node) {
    fleet.remove(node, this::placements);
  }

  /** A node's Device of Koordinator has the specification, in JSON; none when it is gone. */
  public synchronized void koordinatorSeen(String node, Optional<String> spec) {
    fleet.koordinator(node, spec, this::placements);
  }

  /** The cards are in these conditions, by UUID; of others nothing is known. */
  public synchronized void conditions(Map<String, CardReading> now) {
    fleet.conditions(now, this::placements);
  }

  /** Who has which part of which card. */
  public synchronized List<CardUse> uses() {
    return CardUse.of(fleet.cluster());
  }

  /** A pod is as given. */
  public synchronized void seen(PodFacts pod) {
    if (pod.phase() == Phase.FINISHED) {
      podGone(pod.uid());
      return;
    }
    if (pod.node().isEmpty()) {
      waiting.put(pod.uid(), pod);
      return;
    }
    waiting.remove(pod.uid());
    var known = holdings.get(pod.uid());
    if (known == null || known.state() != State.SEEN || !known.pod().equals(pod)) {
      hold(held(pod, pod.node().get()));
    }
  }

  /** A pod is not there any more, or holds nothing any more. */
  public synchronized void podGone(String uid) {
    waiting.remove(uid);
    release(uid);
  }

  private Holding held(PodFacts pod, String node) {
    var spec = fleet.inventory(node).map(inventory -> inventory.spec());
    var usage = spec.map(s -> PodUsage.read(pod, s));
    return new Holding(
        pod,
        node,
        usage.flatMap(PodUsage::placement),
        usage.map(PodUsage::units).orElse(Map.of()),
        State.SEEN,
        List.of(),
        Instant.MAX);
  }

  /**
   * What lies on a node when its cards are as given; what does not fit them any more is dropped.
   */
  private List<Placement> placements(NodeSpec spec) {
    var placements = new ArrayList<Placement>();
    for (var uid : List.copyOf(podsOf.getOrDefault(spec.name(), Set.of()))) {
      var holding = Optional.ofNullable(holdings.get(uid)).orElseThrow();
      if (holding.state() == State.SEEN) {
        var usage = PodUsage.read(holding.pod(), spec);
        usage.placement().ifPresent(placements::add);
        holdings.put(
            uid,
            new Holding(
                holding.pod(),
                spec.name(),
                usage.placement(),
                usage.units(),
                State.SEEN,
                List.of(),
                Instant.MAX));
      } else if (holding.placement().isPresent() && fits(spec, holding.placement().get())) {
        placements.add(holding.placement().get());
      } else if (holding.placement().isPresent()) {
        holdings.remove(uid);
        podsOf.getOrDefault(spec.name(), new HashSet<>()).remove(uid);
      }
    }
    return placements;
  }

  private static boolean fits(NodeSpec spec, Placement placement) {
    return placement.shares().stream()
        .allMatch(
            share ->
                share.card() < spec.gpus().size()
                    && spec.gpus().get(share.card()).uuid().equals(share.uuid()));
  }

  /**
   * Where a pod could go among some nodes.
   *
   * @param assume whether the best place is kept for it for a while; no for a dry run
   * @param crowd how far down a node goes in the list because others wait there; 0 for not at all
   */
  public synchronized Candidates candidates(
      PodFacts pod, List<String> nodes, boolean assume, Instant now, ToLongFunction<String> crowd) {
    expire(now);
    if (pod.group().isPresent() && assume) {
      return member(pod, pod.group().get(), nodes, now, crowd);
    }
    return alone(pod, nodes, assume ? Optional.of(now.plus(ASSUMED)) : Optional.empty(), crowd);
  }

  private Candidates alone(
      PodFacts pod, List<String> nodes, Optional<Instant> until, ToLongFunction<String> crowd) {
    var before = holdings.get(pod.uid());
    if (before != null && before.state() == State.ASSUMED) {
      release(pod.uid());
    }
    var found = choice.among(pod, reader.read(pod), nodes, this::used, crowd);
    if (until.isPresent() && !holdings.containsKey(pod.uid())) {
      found.best().ifPresent(place -> hold(assumed(pod, place, found.nodes(), until.get())));
    }
    return found.candidates();
  }

  private static Holding assumed(
      PodFacts pod, NodeChoice.Place place, List<String> ranked, Instant until) {
    return new Holding(
        pod, place.node(), place.placement(), place.units(), State.ASSUMED, ranked, until);
  }

  /**
   * A member of a group waits until all members are there and all have a place; then each is
   * offered its own. So of two groups that do not fit together one has all and the other nothing.
   */
  private Candidates member(
      PodFacts pod, Group group, List<String> nodes, Instant now, ToLongFunction<String> crowd) {
    waiting.putIfAbsent(pod.uid(), pod);
    var booked = holdings.get(pod.uid());
    if (booked != null && nodes.contains(booked.node())) {
      return new Candidates.Nodes(List.of(booked.node()));
    }
    releaseGroup(pod.namespace(), group);
    var absent = members(waiting.values(), pod.namespace(), group);
    long there =
        absent.size()
            + members(holdings.values().stream().map(Holding::pod).toList(), pod.namespace(), group)
                .stream()
                .filter(member -> !waiting.containsKey(member.uid()))
                .count();
    if (there < group.size()) {
      return refuse(
          nodes,
          "%d of the %d pods of group %s are there".formatted(there, group.size(), group.name()));
    }
    for (var member : absent) {
      boolean isBeingBound = holdings.containsKey(member.uid());
      if (!isBeingBound
          && !(alone(member, nodes, Optional.of(now.plus(BOOKED)), crowd)
              instanceof Candidates.Nodes)) {
        releaseGroup(pod.namespace(), group);
        return refuse(nodes, "there is no room for all pods of group " + group.name());
      }
    }
    var place = holdings.get(pod.uid());
    return place == null ? new Candidates.Anywhere() : new Candidates.Nodes(List.of(place.node()));
  }

  private static Candidates refuse(List<String> nodes, String reason) {
    var reasons = new HashMap<String, String>();
    nodes.forEach(node -> reasons.put(node, reason));
    return new Candidates.Nowhere(reasons, Set.of());
  }

  private static List<PodFacts> members(Collection<PodFacts> pods, String namespace, Group group) {
    return pods.stream()
        .filter(
            pod ->
                pod.namespace().equals(namespace)
                    && pod.group().filter(other -> other.name().equals(group.name())).isPresent())
        .sorted(Comparator.comparing(PodFacts::uid))
        .toList();
  }

  /** Gives back what is booked for members that are not being bound. */
  private void releaseGroup(String namespace, Group group) {
    for (var uid : List.copyOf(unseen)) {
      var holding = holdings.get(uid);
      if (holding != null
          && holding.state() == State.ASSUMED
          && !members(List.of(holding.pod()), namespace, group).isEmpty()) {
        release(uid);
      }
    }
  }

  /** The nodes that a pod was offered last, the best first; empty when that is over. */
  public synchronized List<String> offered(String uid) {
    var holding = holdings.get(uid);
    return holding == null ? List.of() : holding.ranked();
  }

  /**
   * Decides what a pod gets on the node that the scheduler has chosen, and holds it. Whoever asks
   * calls {@link #failed} when the pod is not bound after all.
   */
  public synchronized Decision decide(String uid, String node, Instant now) {
    expire(now);
    var holding = holdings.get(uid);
    if (holding != null && holding.state() != State.ASSUMED) {
      return new Decision.Refused(
          "pod %s is being bound to node %s already"
              .formatted(holding.pod().display(), holding.node()));
    }
    var pod = holding == null ? waiting.get(uid) : holding.pod();
    if (pod == null) {
      return new Decision.Refused("there is no waiting pod with UID %s".formatted(uid));
    }
    var demand = reader.read(pod);
    if (demand instanceof PodDemand.None) {
      return new Decision.Bind(pod, node, Optional.empty());
    }
    if (holding == null || !holding.node().equals(node)) {
      release(uid);
      var place = choice.among(pod, demand, List.of(node), this::used, _ -> 0).best();
      if (place.isEmpty()) {
        return new Decision.Refused(
            "node %s has no room for pod %s any more".formatted(node, pod.display()));
      }
      holding = assumed(pod, place.get(), List.of(), now);
    }
    hold(holding.with(State.BINDING, now.plus(BINDING)));
    return new Decision.Bind(pod, node, chosen(demand, holding));
  }

  private Optional<Decision.Chosen> chosen(PodDemand demand, Holding holding) {
    if (demand instanceof PodDemand.Cards cards && holding.placement().isPresent()) {
      return Optional.of(
          new Decision.Chosen(cards.family(), cards.devices(holding.placement().get().shares())));
    }
    return Optional.empty();
  }

  /**
   * Whether a node has another pod with cards that has not started: the device plugin could take
   * one for the other.
   */
  public synchronized boolean hasOtherUnstarted(String node, String uid) {
    return podsOf.getOrDefault(node, Set.of()).stream()
        .filter(other -> !other.equals(uid))
        .map(holdings::get)
        .anyMatch(
            other ->
                other != null
                    && other.placement().isPresent()
                    && other.state() != State.ASSUMED
                    && other.pod().phase() == Phase.PENDING);
  }

  /**
   * A pod that was decided is not bound: what it held is free again, and what is booked for the
   * other members of its group.
   */
  public synchronized void failed(String uid) {
    var holding = holdings.get(uid);
    release(uid);
    if (holding != null) {
      var pod = holding.pod();
      pod.group().ifPresent(group -> releaseGroup(pod.namespace(), group));
    }
  }

  private void release(String uid) {
    unseen.remove(uid);
    var holding = holdings.remove(uid);
    if (holding != null) {
      var pods = podsOf.get(holding.node());
      if (pods != null) {
        pods.remove(uid);
        if (pods.isEmpty()) {
          podsOf.remove(holding.node());
        }
      }
      holding.placement().ifPresent(fleet::take);
    }
  }

  private void hold(Holding holding) {
    release(holding.pod().uid());
    holdings.put(holding.pod().uid(), holding);
    if (holding.state() != State.SEEN) {
      unseen.add(holding.pod().uid());
    }
    podsOf.computeIfAbsent(holding.node(), _ -> new HashSet<>()).add(holding.pod().uid());
    holding.placement().ifPresent(fleet::place);
  }

  private void expire(Instant now) {
    for (var uid : List.copyOf(unseen)) {
      var holding = holdings.get(uid);
      if (holding == null) {
        unseen.remove(uid);
      } else if (holding.until().isBefore(now)) {
        failed(uid);
      }
    }
  }

  private long used(String node, String resource) {
    long used = 0;
    for (var uid : podsOf.getOrDefault(node, Set.of())) {
      var holding = holdings.get(uid);
      used += holding == null ? 0 : holding.units().getOrDefault(resource, 0L);
    }
    return used;
  }

  /** One sentence for everything that is left out, by node. */
  public synchronized Map<String, List<String>> problems() {
    var problems = new LinkedHashMap<String, List<String>>();
    fleet
        .inventories()
        .filter(inventory -> !inventory.problems().isEmpty())
        .forEach(inventory -> problems.put(inventory.spec().name(), inventory.problems()));
    return problems;
  }

  /** Everything that is placed now, and what could be. */
  public synchronized Totals totals() {
    return Totals.of(fleet.cluster(), holdings.size());
  }

  /** The pod of a name that is on a node or is being bound to it. */
  public synchronized Optional<PodFacts> podOn(String node, String namespace, String name) {
    return podsOf.getOrDefault(node, Set.of()).stream()
        .map(holdings::get)
        .filter(holding -> holding != null && holding.state() != State.ASSUMED)
        .map(Holding::pod)
        .filter(pod -> pod.namespace().equals(namespace) && pod.name().equals(name))
        .findFirst();
  }

  /**
   * Who has to leave a node so that a pod fits it.
   *
   * @param given pods that leave in any case
   * @return their UIDs, the given ones first; empty when the pod does not fit the node even then
   */
  public synchronized Optional<List<String>> victims(
      PodFacts pod, String node, List<String> given) {
    if (!(reader.read(pod) instanceof PodDemand.Cards demand)) {
      return Optional.of(given);
    }
    var lesser =
        podsOf.getOrDefault(node, Set.of()).stream()
            .map(holdings::get)
            .filter(holding -> holding != null && holding.state() == State.SEEN)
            .map(Holding::pod)
            .filter(other -> other.priority() < pod.priority())
            .sorted(Comparator.comparingInt(PodFacts::priority).thenComparing(PodFacts::uid))
            .map(PodFacts::uid)
            .toList();
    return choice.victims(demand, node, given, lesser);
  }
}
