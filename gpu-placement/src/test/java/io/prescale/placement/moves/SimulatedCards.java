package io.prescale.placement.moves;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes of equal cards, the pods on them, and what is written on those. */
class SimulatedCards {
  static final Duration GRACE = Duration.ofSeconds(20);
  private static final int MEMORY_MIB = 80 * 1024;

  Instant now = Instant.parse("2026-11-24T12:00:00Z");
  Mode mode = Mode.ACT;
  boolean isOpen = true;
  int budget = 100;
  boolean comesBack = true;
  final List<MoveStep> log = new ArrayList<>();
  final List<String> evicted = new ArrayList<>();
  final Set<String> sick = new HashSet<>();
  final Set<String> closed = new HashSet<>();
  final Set<Integer> dead = new HashSet<>();
  final Set<String> guarded = new HashSet<>();
  final Set<String> refused = new HashSet<>();

  /** Those that are never gone once they leave. */
  final Set<String> stuck = new HashSet<>();

  final Set<String> strays = new HashSet<>();
  final Map<String, SimPod> pods = new TreeMap<>();
  Course course = Course.NONE;
  List<KeptPlace> kept = List.of();

  final int nodes;
  final int cards;
  private int made;

  /** A pod; those of one kin replace each other. */
  static final class SimPod {
    final String uid;
    final String kin;
    final int size;
    final boolean mayMove;
    final Instant created;
    int node = -1;
    Set<Integer> cards = Set.of();
    Optional<MoveNotice> notice = Optional.empty();
    boolean isLeaving;
    int priority;

    SimPod(String uid, String kin, int size, boolean mayMove, Instant created) {
      this.uid = uid;
      this.kin = kin;
      this.size = size;
      this.mayMove = mayMove;
      this.created = created;
    }

    boolean holds() {
      return node >= 0;
    }
  }

  SimulatedCards(int nodes, int cards) {
    this.nodes = nodes;
    this.cards = cards;
  }

  /** A pod that may move, on cards of a node. */
  SimPod on(int node, int... onCards) {
    return put(true, node, onCards);
  }

  SimPod put(boolean mayMove, int node, int... onCards) {
    var pod = waiting(onCards.length, "kin-" + made, mayMove);
    pod.node = node;
    pod.cards = IntStream.of(onCards).boxed().collect(Collectors.toSet());
    return pod;
  }

  /** A pod that asks for cards and has none. */
  SimPod waiting(int size) {
    return waiting(size, "kin-" + made, false);
  }

  SimPod waiting(int size, String kin, boolean mayMove) {
    var pod = new SimPod("p%03d".formatted(made++), kin, size, mayMove, now);
    pods.put(pod.uid, pod);
    return pod;
  }

  SimPod get(String uid) {
    return Objects.requireNonNull(pods.get(uid));
  }

  /** A node is gone with its pods. */
  void die(int node) {
    dead.add(node);
    pods.values().removeIf(pod -> pod.node == node);
  }

  static String uuid(int node, int card) {
    return "GPU-%d-%d".formatted(node, card);
  }

  MoveView view() {
    var residents = new HashMap<String, Resident>();
    var wanted = new ArrayList<WantingPod>();
    var waiting = new HashSet<String>();
    var all = IntStream.range(0, nodes).mapToObj(n -> "n" + n).collect(Collectors.toSet());
    for (var pod : pods.values()) {
      if (pod.holds()) {
        residents.put(pod.uid, resident(pod));
      } else {
        waiting.add(pod.uid);
        wanted.add(new WantingPod(request(pod), all, pod.created));
      }
    }
    return new MoveView(
        cluster(),
        residents,
        Map.of(),
        Map.of(),
        wanted.stream().filter(it -> !get(it.uid()).mayMove).toList(),
        waiting,
        strays,
        refused,
        sick,
        closed,
        workload(),
        new MoveView.Terms(mode, isOpen, budget - evicted.size(), Duration.ofMinutes(10)),
        course);
  }

  private static Resident resident(SimPod pod) {
    return new Resident(
        pod.uid,
        pod.kin,
        shape(pod),
        Optional.empty(),
        pod.mayMove,
        pod.isLeaving,
        GRACE,
        pod.notice,
        pod.created);
  }

  private static RequestShape shape(SimPod pod) {
    return RequestShape.of(pod.size, GpuDemand.WholeGpu.ANY);
  }

  private static GpuRequest request(SimPod pod) {
    return new GpuRequest(pod.uid, shape(pod), Standing.preemptible(pod.priority));
  }

  private TargetWorkload workload() {
    return new TargetWorkload(
        List.of(
            new TaskClass(0, cards, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1),
            new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1)));
  }

  private ClusterSnapshot cluster() {
    var all =
        IntStream.range(0, nodes).filter(it -> !dead.contains(it)).mapToObj(this::node).toList();
    return ClusterSnapshot.ofNodes(all);
  }

  private GpuNode node(int node) {
    var gpus = IntStream.range(0, cards).mapToObj(card -> gpu(node, card)).toList();
    var built = GpuNode.of(new NodeSpec("n" + node, 128_000, 1_000_000, gpus));
    for (var pod : pods.values()) {
      if (pod.node == node) {
        var at = built;
        var shares =
            pod.cards.stream()
                .sorted()
                .map(card -> at.share(card, GpuDemand.WholeGpu.ANY).orElseThrow())
                .toList();
        built = built.with(new Placement(request(pod), "n" + node, shares));
      }
    }
    return built;
  }

  private Gpu gpu(int node, int card) {
    var gpu = Gpu.whole(uuid(node, card), "nvidia", "NVIDIA A100-SXM4-80GB", MEMORY_MIB);
    return sick.contains(uuid(node, card))
        ? gpu.withHealth(GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY))
        : gpu;
  }
}
