package io.prescale.controller.demo;

import io.prescale.controller.simulation.cards.CardScheduler;
import io.prescale.controller.simulation.cards.MovedPods;
import io.prescale.controller.simulation.cards.SharedCards;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.ledger.CardUse;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.PlacementDecision;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Nodes with cards, the services' pods on them, and Jobs that borrow what those leave over. The
 * placement engine decides where a pod goes or why it waits; the cold start until it serves is
 * simulated. Not thread-safe.
 */
final class SimulatedCluster {
  /** The notice of Jobs. */
  static final Duration GRACE = Duration.ofMinutes(10);

  /** Longer than any cold start. */
  private static final Duration A_WHILE = Duration.ofHours(6);

  private static final int MOST_AN_HOUR = 1000;

  /** NVIDIA's XID of a card that has fallen off the bus. */
  private static final int LOST_CARD = 79;

  private static final CardReading LOST =
      sick(List.of(LOST_CARD), "its last XID error is " + LOST_CARD);
  private static final CardReading WORN =
      sick(List.of(), "rows of its memory could not be remapped");

  private final Fragmentation fragmentation;
  private final CardScheduler scheduler;
  private final SharedCards shared;
  private final MovedPods moved;
  private final SplittableRandom random;
  private final Map<Workload, List<Pod>> pods = new LinkedHashMap<>();
  private final Map<String, CardReading> sick = new HashMap<>();
  private final ScaleUps scaleUps = new ScaleUps();
  private final NextLoss nextLoss = new NextLoss();
  private int podsCreated;

  /**
   * @param jobs whether Jobs may borrow cards, so that there are queues
   */
  SimulatedCluster(
      List<NodeFacts> nodes, List<Workload> workloads, boolean jobs, SplittableRandom random) {
    this.random = random;
    this.fragmentation =
        new Fragmentation(
            new TargetWorkload(
                workloads.stream()
                    .map(Workload::shape)
                    .map(
                        it ->
                            new TargetWorkload.TaskClass(0, it.gpus(), it.demand(), it.cards(), 1))
                    .toList()));
    this.scheduler = new CardScheduler(nodes, jobs ? queues(nodes) : List.of());
    this.shared =
        new SharedCards(
            scheduler,
            Map.of(
                DemoCatalog.TRAINING,
                new ReclaimPolicy(ReclaimPolicy.Mode.ACT, GRACE, MOST_AN_HOUR)));
    this.moved = new MovedPods(scheduler.ledger(), MovedPods.Terms.BY_NIGHT);
    workloads.forEach(it -> pods.put(it, new ArrayList<>()));
  }

  private static CardReading sick(List<Integer> xids, String complaint) {
    return new CardReading(
        GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY).withErrors(0, 0, xids),
        OptionalInt.empty(),
        Optional.of(complaint));
  }

  /** All cards belong to the services. */
  private static List<QueueEntry> queues(List<NodeFacts> nodes) {
    return List.of(
        new QueueEntry(
            DemoCatalog.SERVING, Optional.empty(), Quota.train(DemoNodes.milli(nodes), 1)),
        new QueueEntry(DemoCatalog.TRAINING, Optional.empty(), Quota.train(0, 1)));
  }

  /** What the placement engine knows. */
  Ledger ledger() {
    return scheduler.ledger();
  }

  CardScheduler scheduler() {
    return scheduler;
  }

  /** The Jobs. */
  SharedCards shared() {
    return shared;
  }

  /** Pods that move. */
  MovedPods moved() {
    return moved;
  }

  ClusterSnapshot nodes() {
    return ledger().cluster();
  }

  Fragmentation fragmentation() {
    return fragmentation;
  }

  /** The names of the services, in the order of the fragmentation's classes. */
  List<String> kinds() {
    return pods.keySet().stream().map(Workload::name).toList();
  }

  /** The newest first. */
  List<PlacementDecision> decisions() {
    return ledger().decisions();
  }

  int ready(Workload workload, Instant now) {
    return (int) podsOf(workload).stream().filter(pod -> pod.isReady(now)).count();
  }

  /** Pods that no node has room for. */
  int unplaced(Workload workload) {
    return (int) podsOf(workload).stream().filter(pod -> !pod.isPlaced()).count();
  }

  List<Pod> pods() {
    return pods.values().stream().flatMap(List::stream).toList();
  }

  private List<Pod> podsOf(Workload workload) {
    return pods.getOrDefault(workload, List.of());
  }

  /** Starts with pods that have been ready for a while. */
  void start(Workload workload, int replicas, Instant now) {
    create(workload, replicas, now.minus(A_WHILE));
  }

  /**
   * Creates or deletes pods until their number is reached.
   *
   * @param decided when the value was served that asks for them
   */
  void scale(Workload workload, int replicas, Instant decided, Instant now) {
    var mine = podsOf(workload);
    scaleUps.add(workload, decided, create(workload, replicas, now));
    while (mine.size() > replicas) {
      var pod = leastUseful(mine, now);
      mine.remove(pod);
      scheduler.delete(pod.name());
    }
  }

  /** Creates pods until their number is reached; returns their names. */
  private List<String> create(Workload workload, int replicas, Instant now) {
    var mine = podsOf(workload);
    var created = new ArrayList<String>();
    while (mine.size() < replicas) {
      podsCreated++;
      var name = "%s-%04x".formatted(workload.name(), podsCreated);
      var pod = Pod.pending(name, workload, now, workload.coldStart().draw(random));
      scheduler.create(List.of(workload.pods().pod(name, Optional.empty(), now)), now);
      mine.add(observed(pod, now));
      created.add(name);
    }
    return created;
  }

  /**
   * Pods without a place go first, then those that are not ready, then the newest, as in a
   * ReplicaSet.
   */
  private static Pod leastUseful(List<Pod> mine, Instant now) {
    return mine.stream()
        .max(
            Comparator.comparing((Pod pod) -> !pod.isPlaced())
                .thenComparing(pod -> !pod.isReady(now))
                .thenComparing(Pod::created))
        .orElseThrow();
  }

  /** Takes cards back, schedules what waits, and moves pods. */
  void round(Instant now) {
    shared.round(now);
    moved.round(name -> isSteady(name, now), name -> fail(name, now), now);
    pods.values().forEach(mine -> mine.replaceAll(pod -> observed(pod, now)));
  }

  /** A replica all of whose others are ready, too. */
  private boolean isSteady(String name, Instant now) {
    return pods.values().stream()
        .filter(mine -> mine.stream().anyMatch(pod -> pod.name().equals(name)))
        .anyMatch(mine -> mine.stream().allMatch(pod -> pod.isReady(now)));
  }

  private Pod observed(Pod pod, Instant now) {
    return pod.isPlaced() || scheduler.nodeOf(pod.name()).isEmpty() ? pod : pod.placed(now);
  }

  /** Takes out the scale-ups whose pods are all ready, or gone. */
  List<ScaleUps.Finished> finishedScaleUps(Instant now) {
    return scaleUps.finished(this::podsOf, now);
  }

  /** The card whose loss hits most; empty when no card is used. */
  Optional<String> busiestCard() {
    return nextLoss.among(nodes(), _ -> true);
  }

  /** The same of cards with replicas of services. */
  Optional<String> busiestCardOfReplicas() {
    var replicas = pods().stream().map(Pod::name).collect(Collectors.toSet());
    var cards =
        ledger().uses().stream()
            .filter(card -> card.parts().stream().anyMatch(it -> replicas.contains(it.holder())))
            .map(CardUse::uuid)
            .collect(Collectors.toSet());
    return nextLoss.among(nodes(), cards::contains);
  }

  /**
   * Fails a card. Its pods are deleted; their controllers make others, which find room or wait.
   *
   * @return the names of the pods that were on it
   */
  List<String> lose(String uuid, Instant now) {
    nextLoss.lost(uuid);
    var hit =
        ledger().uses().stream()
            .filter(card -> card.uuid().equals(uuid))
            .flatMap(card -> card.parts().stream())
            .map(CardUse.Part::holder)
            .distinct()
            .toList();
    sick.put(uuid, LOST);
    ledger().conditions(sick);
    for (var name : hit) {
      shared.jobOf(name).ifPresentOrElse(job -> shared.failed(job, now), () -> fail(name, now));
    }
    return hit;
  }

  private void fail(String name, Instant now) {
    scheduler.delete(name);
    var failed = pods().stream().filter(pod -> pod.name().equals(name)).toList();
    for (var pod : failed) {
      var mine = podsOf(pod.workload());
      int replicas = mine.size();
      mine.remove(pod);
      create(pod.workload(), replicas, now);
    }
  }

  /** Has a card report errors of its memory; its pods run on, and move when it stays so. */
  void wear(String uuid) {
    nextLoss.lost(uuid);
    sick.put(uuid, WORN);
    ledger().conditions(sick);
  }

  /** Replaces all sick cards; returns how many there were. */
  int repair() {
    int cards = sick.size();
    sick.clear();
    ledger().conditions(sick);
    moved.allAreWell();
    return cards;
  }
}
