package io.prescale.controller.demo;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.consolidation.Consolidator;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.consolidation.MovePlan;
import io.prescale.placement.consolidation.MoveRules;
import io.prescale.placement.decision.PlacementResult;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.ledger.PlacementDecision;
import io.prescale.placement.ledger.RecentDecisions;
import io.prescale.placement.preference.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Nodes with cards, and the pods on them. The placement engine decides where a pod goes or why it
 * waits; the cold start until it serves is simulated. Not thread-safe.
 */
final class SimulatedCluster {
  /** Longer than any cold start. */
  private static final Duration A_WHILE = Duration.ofHours(6);

  /** NVIDIA's XID of a card that has fallen off the bus. */
  private static final int LOST_CARD = 79;

  private final Fragmentation fragmentation;
  private final Placer placer;
  private final Consolidator consolidator;
  private final SplittableRandom random;
  private final Map<Workload, List<Pod>> pods = new LinkedHashMap<>();
  private final RecentDecisions recent = new RecentDecisions();
  private final ScaleUps scaleUps = new ScaleUps();
  private final NextLoss nextLoss = new NextLoss();
  private ClusterSnapshot nodes;
  private boolean roomMade;
  private int podsCreated;

  SimulatedCluster(List<NodeSpec> specs, List<Workload> workloads, SplittableRandom random) {
    this.nodes = ClusterSnapshot.of(specs);
    this.random = random;
    this.fragmentation =
        new Fragmentation(
            new TargetWorkload(
                workloads.stream()
                    .map(Workload::shape)
                    .map(
                        it ->
                            new TargetWorkload.TaskClass(
                                it.host().cpuMilli(), it.gpus(), it.demand(), it.cards(), 1))
                    .toList()));
    var linkedCards = new LinkedCards();
    this.placer = new Placer(Policy.prescale(fragmentation, linkedCards), linkedCards);
    this.consolidator = new Consolidator(linkedCards);
    workloads.forEach(it -> pods.put(it, new ArrayList<>()));
  }

  ClusterSnapshot nodes() {
    return nodes;
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
    return recent.all();
  }

  int ready(Workload workload, Instant now) {
    return (int) podsOf(workload).stream().filter(pod -> pod.isReady(now)).count();
  }

  /** Pods that no node has room for. */
  int unplaced(Workload workload) {
    return (int) podsOf(workload).stream().filter(pod -> pod.placement().isEmpty()).count();
  }

  List<Pod> pods() {
    return pods.values().stream().flatMap(List::stream).toList();
  }

  private List<Pod> podsOf(Workload workload) {
    return pods.getOrDefault(workload, List.of());
  }

  /** Starts with pods that have been ready for a while. */
  void start(Workload workload, int replicas, Instant now) {
    for (int i = 0; i < replicas; i++) {
      podsOf(workload).add(create(workload, now.minus(A_WHILE)));
    }
  }

  /**
   * Creates or deletes pods until their number is reached.
   *
   * @param decided when the value was served that asks for them
   */
  void scale(Workload workload, int replicas, Instant decided, Instant now) {
    var mine = podsOf(workload);
    var created = new ArrayList<String>();
    while (mine.size() < replicas) {
      var pod = create(workload, now);
      mine.add(pod);
      created.add(pod.name());
    }
    scaleUps.add(workload, decided, created);
    while (mine.size() > replicas) {
      delete(mine, leastUseful(mine, now));
    }
  }

  private Pod create(Workload workload, Instant now) {
    podsCreated++;
    var coldStart = workload.coldStart().draw(random);
    String name = "%s-%04x".formatted(workload.name(), podsCreated);
    return place(Pod.pending(name, workload, now, coldStart), now, true);
  }

  /**
   * Pods without a place go first, then those that are not ready, then the newest, as in a
   * ReplicaSet.
   */
  private static Pod leastUseful(List<Pod> mine, Instant now) {
    return mine.stream()
        .max(
            Comparator.comparing((Pod pod) -> pod.placement().isEmpty())
                .thenComparing(pod -> !pod.isReady(now))
                .thenComparing(Pod::created))
        .orElseThrow();
  }

  private void delete(List<Pod> mine, Pod pod) {
    mine.remove(pod);
    pod.placement()
        .ifPresent(
            placement -> {
              nodes = nodes.without(placement);
              roomMade = true;
            });
  }

  private Pod place(Pod pod, Instant now, boolean isNew) {
    return switch (placer.place(nodes, new GpuRequest(pod.name(), pod.workload().shape()))) {
      case PlacementResult.Placed placed -> {
        nodes = nodes.with(placed.placement());
        recent.placed(now, pod.name(), placed.placement().node(), placed.choice().sentence());
        yield pod.placed(placed.placement(), now);
      }
      case PlacementResult.Refused refused -> {
        if (isNew) {
          recent.refused(now, pod.name(), refused.summary());
        }
        yield pod;
      }
    };
  }

  /** Retries pods without a place, if there is new room. */
  void retry(Instant now) {
    if (!roomMade) {
      return;
    }
    roomMade = false;
    pods.values()
        .forEach(
            mine ->
                mine.replaceAll(pod -> pod.placement().isPresent() ? pod : place(pod, now, false)));
  }

  /** Takes out the scale-ups whose pods are all ready, or gone. */
  List<ScaleUps.Finished> finishedScaleUps(Instant now) {
    return scaleUps.finished(this::podsOf, now);
  }

  /** The card whose loss hits most; empty when no card is used. */
  Optional<String> busiestCard() {
    return nextLoss.among(nodes);
  }

  /**
   * Fails a card. Its pods restart where the consolidator finds room, or wait.
   *
   * @return the names of the pods that were on it
   */
  List<String> lose(String uuid, Instant now) {
    nextLoss.lost(uuid);
    withHealth(
        uuid,
        GpuHealth.UNKNOWN
            .withState(GpuHealth.State.UNHEALTHY)
            .withErrors(0, 0, List.of(LOST_CARD)));
    var hit =
        pods().stream()
            .filter(pod -> pod.placement().filter(place -> uses(place, uuid)).isPresent())
            .collect(Collectors.toMap(Pod::name, pod -> pod, (a, _) -> a, LinkedHashMap::new));
    MovePlan plan =
        consolidator.evacuate(nodes, MoveRules.atMost(hit.size()).withLeave(hit.keySet()));
    plan.moves().forEach(move -> move(move, uuid, now));
    plan.stuck().stream()
        .filter(placement -> hit.containsKey(placement.request().name()))
        .forEach(placement -> evict(placement, uuid, now));
    return List.copyOf(hit.keySet());
  }

  private static boolean uses(Placement placement, String uuid) {
    return placement.shares().stream().map(GpuShare::uuid).anyMatch(uuid::equals);
  }

  private void move(Move move, String uuid, Instant now) {
    nodes = nodes.without(move.from()).with(move.to());
    roomMade = true;
    replace(
        move.from().request().name(),
        pod -> {
          recent.placed(
              now, pod.name(), move.to().node(), "%s is lost; the pod restarts".formatted(uuid));
          return pod.placed(move.to(), now);
        });
  }

  private void evict(Placement placement, String uuid, Instant now) {
    nodes = nodes.without(placement);
    replace(
        placement.request().name(),
        pod -> {
          recent.refused(
              now, pod.name(), "%s is lost, and there is no room elsewhere".formatted(uuid));
          return pod.unplaced();
        });
  }

  private void replace(String name, UnaryOperator<Pod> change) {
    pods.values()
        .forEach(mine -> mine.replaceAll(pod -> pod.name().equals(name) ? change.apply(pod) : pod));
  }

  /** Replaces all lost cards; returns how many there were. */
  int repair() {
    var lost =
        nodes
            .nodes()
            .flatMap(node -> node.spec().gpus().stream())
            .filter(gpu -> gpu.health().state() == GpuHealth.State.UNHEALTHY)
            .toList();
    lost.forEach(gpu -> withHealth(gpu.uuid(), GpuHealth.UNKNOWN));
    roomMade = !lost.isEmpty();
    return lost.size();
  }

  private void withHealth(String uuid, GpuHealth health) {
    GpuNode node =
        nodes
            .nodes()
            .filter(it -> it.spec().gpus().stream().anyMatch(gpu -> gpu.uuid().equals(uuid)))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("there is no card " + uuid));
    var gpus =
        node.spec().gpus().stream()
            .map(gpu -> gpu.uuid().equals(uuid) ? gpu.withHealth(health) : gpu)
            .toList();
    nodes = nodes.withNode(node.withSpec(node.spec().withGpus(gpus)));
  }
}
