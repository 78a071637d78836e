package io.prescale.placement.claims;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.prescale.placement.claims.Claim.Pin;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.ledger.CardUse;
import io.prescale.placement.ledger.Totals;
import io.prescale.placement.ledger.UsualWorkload;
import io.prescale.placement.preference.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which claim has which cards, and which cards a waiting pod's claim is pinned to. Nodes, slices,
 * claims and pods are told as the API server has them; what was just decided is booked until its
 * claim is seen. Thread-safe.
 *
 * <p>A pod gets its cards in three writes. A claim with a selector for the cards is made beside the
 * one that Kubernetes made from the template; the latter is deleted, whereupon Kubernetes gives the
 * pod the former; then the gate is taken from the pod.
 */
public final class ClaimLedger {
  /** A claim that was made is seen within seconds; this is only in case that it never is. */
  static final Duration BOOKED = Duration.ofSeconds(60);

  /** What kube-scheduler does not take in this time gets another place. */
  static final Duration UNTIL_ELSEWHERE = Duration.ofSeconds(20);

  private static final int LONGEST_BASE = 50;

  private final CardStock stock = new CardStock();
  private final Placer placer;
  private final Map<String, List<String>> classes = new HashMap<>();
  private final Map<Claim.Key, Claim> claims = new HashMap<>();
  private final Map<String, Set<Claim.Key>> claimsOf = new HashMap<>();
  private final Map<String, ClaimPod> pods = new HashMap<>();
  private final Map<String, Booking> bookings = new HashMap<>();
  private final Set<Claim.Key> homeless = new HashSet<>();
  private final Map<Claim.Request, ClaimDemand> demands = new HashMap<>();
  private final Map<String, Set<String>> tried = new HashMap<>();
  private final Map<String, Waiting> waiting = new TreeMap<>();

  public ClaimLedger() {
    var linkedCards = new LinkedCards();
    var fragmentation = new Fragmentation(UsualWorkload.shares());
    placer = new Placer(Policy.prescale(fragmentation, linkedCards), linkedCards);
  }

  /** A decision whose claim has not been seen yet. */
  private record Booking(Claim.Key claim, Instant until) {}

  /** Why a pod waits, and for what cluster that was found. */
  private record Waiting(ClusterSnapshot in, String pod, String sentence) {}

  /** A node is as given. */
  public synchronized void nodeSeen(String node, Readiness state) {
    node(node, Optional.of(state));
  }

  /** A node is not there any more. */
  public synchronized void nodeGone(String node) {
    node(node, Optional.empty());
  }

  private void node(String node, Optional<Readiness> state) {
    if (!stock.isKnown(node, state)) {
      stock.node(node, state);
      read(Set.of(node));
    }
  }

  /** A ResourceSlice is as given. */
  public synchronized void sliceSeen(String name, Slice slice) {
    read(stock.put(name, slice));
  }

  /** A ResourceSlice is not there any more. */
  public synchronized void sliceGone(String name) {
    read(stock.remove(name));
  }

  private void read(Set<String> nodes) {
    demands.clear();
    var touched = stock.list(nodes);
    var again = stock.on(touched);
    again.addAll(homeless);
    again.forEach(stock::take);
    touched.forEach(stock::build);
    again.forEach(this::count);
  }

  /** The cards are in these conditions, by UUID; of others nothing is known. */
  public synchronized void conditions(Map<String, CardReading> now) {
    read(stock.conditions(now));
  }

  /**
   * These cards are registered by device plugins: pods get them without claims, so no claim is
   * pinned to them.
   *
   * @param now their nodes by UUID
   */
  public synchronized void registered(Map<String, String> now) {
    var nodes = stock.registered(now);
    if (!nodes.isEmpty()) {
      read(nodes);
    }
  }

  /** A DeviceTaintRule is as given. */
  public synchronized void taintRuleSeen(String name, Taint.Rule rule) {
    read(stock.rule(name, Optional.of(rule)));
  }

  /** A DeviceTaintRule taints nothing any more. */
  public synchronized void taintRuleGone(String name) {
    read(stock.rule(name, Optional.empty()));
  }

  /** A DeviceClass is as given. */
  public synchronized void classSeen(String name, List<String> selectors) {
    classes.put(name, List.copyOf(selectors));
    demands.clear();
  }

  /** A DeviceClass is not there any more. */
  public synchronized void classGone(String name) {
    classes.remove(name);
    demands.clear();
  }

  /** A claim is as given, whoever made and whoever allocated it. */
  public synchronized void claimSeen(Claim claim) {
    forget(claim.key());
    claims.put(claim.key(), claim);
    claim
        .owner()
        .ifPresent(
            pod -> {
              claimsOf.computeIfAbsent(pod, _ -> new HashSet<>()).add(claim.key());
              bookings.computeIfPresent(
                  pod, (_, booking) -> booking.claim().equals(claim.key()) ? null : booking);
            });
    count(claim.key());
  }

  /** A claim is not there any more. */
  public synchronized void claimGone(Claim.Key key) {
    forget(key);
  }

  private void forget(Claim.Key key) {
    var before = claims.remove(key);
    if (before != null) {
      before
          .owner()
          .ifPresent(
              pod ->
                  claimsOf.computeIfPresent(
                      pod, (_, keys) -> keys.remove(key) && keys.isEmpty() ? null : keys));
    }
    homeless.remove(key);
    stock.take(key);
  }

  private void count(Claim.Key key) {
    var claim = claims.get(key);
    if (claim == null) {
      return; // booked, and the cards have changed meanwhile: the claim will tell when it is seen
    }
    var placement = stock.placement(claim);
    placement.ifPresent(found -> stock.place(key, found));
    if (placement.isEmpty() && (claim.isAllocated() || claim.pin().isPresent())) {
      homeless.add(key);
    } else {
      homeless.remove(key);
    }
  }

  /** A pod that has or had our gate is as given. */
  public synchronized void podSeen(ClaimPod pod) {
    pods.put(pod.uid(), pod);
    if (pod.bound()) {
      tried.remove(pod.uid());
      waiting.remove(pod.uid());
    }
  }

  /** A pod is not there any more. */
  public synchronized void podGone(String uid) {
    pods.remove(uid);
    tried.remove(uid);
    waiting.remove(uid);
    giveBack(uid);
  }

  /**
   * The claim that was decided for a pod is not made: its cards are free again.
   *
   * @param again until when nothing is tried for the pod
   */
  public synchronized void failed(String uid, Instant again) {
    var booking = bookings.get(uid);
    if (booking != null) {
      giveBack(uid);
      bookings.put(uid, new Booking(booking.claim(), again));
    }
  }

  private void giveBack(String uid) {
    var booking = bookings.remove(uid);
    if (booking != null && !claims.containsKey(booking.claim())) {
      stock.take(booking.claim());
    }
  }

  /** What has to be written now, for the most important pods first. */
  public synchronized List<Step> steps(Instant now) {
    bookings.entrySet().stream()
        .filter(entry -> entry.getValue().until().isBefore(now))
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::giveBack);
    var steps = new ArrayList<Step>();
    pods.values().stream()
        .filter(pod -> !pod.bound())
        .sorted(
            Comparator.comparingInt(ClaimPod::priority)
                .reversed()
                .thenComparing(ClaimPod::created)
                .thenComparing(ClaimPod::uid))
        .toList()
        .forEach(pod -> step(pod, now).ifPresent(steps::add));
    return steps;
  }

  private Optional<Step> step(ClaimPod pod, Instant now) {
    if (pod.claim().isEmpty()) {
      return wait(pod, "it has not exactly one claim, made from a template");
    }
    if (pod.current().isEmpty() || bookings.containsKey(pod.uid())) {
      return Optional.empty();
    }
    var key = new Claim.Key(pod.namespace(), pod.current().get());
    var current = Optional.ofNullable(claims.get(key));
    var others = new ArrayList<>(claimsOf(pod));
    others.removeIf(claim -> claim.key().equals(key));
    var successor = others.stream().filter(claim -> claim.pin().isPresent()).findFirst();
    if (successor.isPresent()) {
      return replace(pod, current, successor.get(), others);
    }
    if (current.isEmpty() || current.get().isAllocated()) {
      return Optional.empty();
    }
    if (current.get().pin().isPresent()) {
      return goOn(pod, current.get(), others, now);
    }
    if (pod.gated()) {
      return pin(pod, current.get(), now);
    }
    waiting.remove(pod.uid()); // somebody has let it go as it is
    return Optional.empty();
  }

  private Collection<Claim> claimsOf(ClaimPod pod) {
    return claimsOf.getOrDefault(pod.uid(), Set.of()).stream()
        .sorted(Comparator.comparing(Claim.Key::name))
        .flatMap(key -> Optional.ofNullable(claims.get(key)).stream())
        .filter(claim -> claim.podClaim().equals(pod.claim()))
        .toList();
  }

  /** Two claims of a pod: the one that is allocated stays, else the one that we made last. */
  private static Optional<Step> replace(
      ClaimPod pod, Optional<Claim> current, Claim successor, List<Claim> others) {
    if (current.isPresent()) {
      return Optional.of(
          new Step.Replaced(pod, current.get().isAllocated() ? successor : current.get()));
    }
    return others.stream()
        .filter(Predicate.not(successor::equals))
        .findFirst()
        .map(claim -> new Step.Replaced(pod, claim));
  }

  private Optional<Step> goOn(ClaimPod pod, Claim current, List<Claim> leftOver, Instant now) {
    if (!leftOver.isEmpty()) {
      return Optional.of(new Step.Replaced(pod, leftOver.getFirst()));
    }
    if (pod.gated()) {
      return Optional.of(new Step.Released(pod));
    }
    boolean isDue = current.created().plus(UNTIL_ELSEWHERE).isBefore(now);
    if (!pod.unschedulable() || !isDue) {
      return Optional.empty();
    }
    current
        .pin()
        .ifPresent(pin -> tried.computeIfAbsent(pod.uid(), _ -> new HashSet<>()).add(pin.node()));
    return pin(pod, current, now);
  }

  private Optional<Step> pin(ClaimPod pod, Claim like, Instant now) {
    var demand =
        like.request()
            .map(
                request ->
                    demands.computeIfAbsent(
                        request,
                        _ -> ClaimDemandReader.read(like.request(), classes, stock.cards())))
            .orElseGet(() -> ClaimDemandReader.read(Optional.empty(), classes, List.of()));
    return switch (demand) {
      case ClaimDemand.Refused refused -> wait(pod, refused.sentence());
      case ClaimDemand.Cards cards -> pin(pod, like, cards, now);
    };
  }

  private Optional<Step> pin(ClaimPod pod, Claim like, ClaimDemand.Cards demand, Instant now) {
    var before = waiting.get(pod.uid());
    if (before != null && before.in() == stock.cluster()) {
      return Optional.empty(); // nothing has changed
    }
    var cluster = stock.cluster(like.request().map(Claim.Request::tolerations).orElse(List.of()));
    var avoided = tried.getOrDefault(pod.uid(), Set.of());
    int[] nodes =
        IntStream.range(0, cluster.size())
            .filter(index -> !avoided.contains(cluster.node(index).name()))
            .toArray();
    var name = pinnedName(pod, like.key());
    var request = Seats.request(name, demand.shape(), pod.priority());
    var shortlist = placer.shortlist(cluster, request, nodes, _ -> 0, 1);
    if (!shortlist.places().isEmpty()) {
      waiting.remove(pod.uid());
      return Optional.of(book(pod, like, name, shortlist.places().getFirst(), now));
    }
    // Where everything was tried, everything may be tried again.
    return tried.remove(pod.uid()) == null
        ? wait(pod, reason(shortlist.refusals()))
        : wait(pod, "kube-scheduler refuses it on every node that has room for it");
  }

  /** Whoever decides the same again gives the same name, so a claim is never made twice. */
  private static Claim.Key pinnedName(ClaimPod pod, Claim.Key like) {
    var base = pod.name().substring(0, Math.min(LONGEST_BASE, pod.name().length()));
    var seed = (pod.uid() + "/" + like.name()).getBytes(UTF_8);
    var hash = UUID.nameUUIDFromBytes(seed).toString().substring(0, 8);
    return new Claim.Key(pod.namespace(), base.replaceFirst("[^a-z0-9]+$", "") + "-" + hash);
  }

  private static String reason(List<NodeRefusal> refusals) {
    return refusals.stream()
        .collect(Collectors.groupingBy(NodeRefusal::reason, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(
            entry ->
                "%d %s"
                    .formatted(
                        entry.getValue(), entry.getKey().phrase(entry.getValue().intValue())))
        .collect(Collectors.joining(", ", "no node has room: ", ""));
  }

  private Optional<Step> wait(ClaimPod pod, String sentence) {
    waiting.put(pod.uid(), new Waiting(stock.cluster(), pod.display(), sentence));
    return Optional.empty();
  }

  private Step book(ClaimPod pod, Claim like, Claim.Key name, Placement placement, Instant now) {
    stock.place(name, placement);
    bookings.put(pod.uid(), new Booking(name, now.plus(BOOKED)));
    var gpus = stock.cluster().find(placement.node()).orElseThrow().spec().gpus();
    var uuids = placement.shares().stream().map(GpuShare::uuid).toList();
    var driver = gpus.get(placement.shares().getFirst().card()).vendor();
    return new Step.Pinned(pod, name, like, driver, new Pin(placement.node(), uuids));
  }

  /** One sentence for everything that is left out, by node. */
  public synchronized Map<String, List<String>> problems() {
    return new TreeMap<>(stock.problems());
  }

  /** Why pods wait for their cards, by pod. */
  public synchronized Map<String, String> waiting() {
    var sentences = new TreeMap<String, String>();
    waiting.values().forEach(pod -> sentences.put(pod.pod(), pod.sentence()));
    return sentences;
  }

  /** Which pod has which part of which card; parts of claims without a pod are the claim's. */
  public synchronized List<CardUse> uses() {
    var owners = new HashMap<String, String>();
    claims.forEach((key, claim) -> owners.put(key.toString(), claim.owner().orElse("")));
    return CardUse.of(stock.cluster()).stream()
        .map(card -> card.withHolders(name -> owners.getOrDefault(name, name)))
        .toList();
  }

  /** Everything that claims hold or are pinned to now. */
  public synchronized ClusterSnapshot cluster() {
    return stock.cluster();
  }

  /** Sums over the same, and what could be held. */
  public synchronized Totals totals() {
    return Totals.of(stock.cluster(), stock.claims(), waiting.size());
  }
}
