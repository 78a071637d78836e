package io.prescale.placement.moves;

import static org.assertj.core.api.Assertions.assertThat;

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

/**
 * Nodes of equal cards with a scheduler, a controller that makes evicted pods again, and an API
 * server that keeps what is written. It checks every eviction by rules of its own.
 */
final class SimulatedMoves {
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
  final Set<String> guarded = new HashSet<>();
  final Set<String> refused = new HashSet<>();
  final Set<String> strays = new HashSet<>();
  final Map<String, SimPod> pods = new TreeMap<>();
  Course course = Course.NONE;
  List<KeptPlace> kept = List.of();

  private final int nodes;
  private final int cards;
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

  SimulatedMoves(int nodes, int cards) {
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

  private SimPod waiting(int size, String kin, boolean mayMove) {
    var pod = new SimPod("p%03d".formatted(made++), kin, size, mayMove, now);
    pods.put(pod.uid, pod);
    return pod;
  }

  SimPod get(String uid) {
    return Objects.requireNonNull(pods.get(uid));
  }

  static String uuid(int node, int card) {
    return "GPU-%d-%d".formatted(node, card);
  }

  /** Rounds of a second, each with all its steps carried out. */
  void seconds(int number) {
    for (int second = 0; second < number; second++) {
      second(Integer.MAX_VALUE);
    }
  }

  /** A second in which the executor is killed after some steps, and has forgotten all. */
  void second(int most) {
    controllers();
    schedule();
    var result = MoveRound.decide(view(), now);
    course = result.course();
    int done = 0;
    for (var step : result.steps()) {
      if (done++ == most) {
        course = Course.NONE.withNextLook(course.nextLook());
        kept = List.of();
        now = now.plusSeconds(1);
        return;
      }
      carryOut(step);
    }
    kept = most < result.steps().size() ? List.of() : result.kept();
    now = now.plusSeconds(1);
    verify();
  }

  private void carryOut(MoveStep step) {
    log.add(step);
    switch (step) {
      case MoveStep.Notify(var uid, var notice) -> {
        assertThat(get(uid).mayMove).as("%s may move", uid).isTrue();
        get(uid).notice = Optional.of(notice);
      }
      case MoveStep.Withdraw(var uid, _) -> {
        get(uid).notice = Optional.empty();
        strays.remove(uid);
      }
      case MoveStep.Evict(var uid, var notice) -> evict(get(uid), notice);
      case MoveStep.Arrive _, MoveStep.GiveUp _, MoveStep.Advise _ -> {}
    }
  }

  private void evict(SimPod pod, MoveNotice notice) {
    if (guarded.contains(pod.uid)) {
      return;
    }
    assertThat(mode).isEqualTo(Mode.ACT);
    assertThat(pod.mayMove).isTrue();
    assertThat(pod.notice).contains(notice);
    assertThat(notice.at()).isBeforeOrEqualTo(now);
    assertThat(pod.isLeaving).as("evicted twice").isFalse();
    assertThat(free(notice)).as("the place of %s", pod.uid).isTrue();
    evicted.add(pod.uid);
    assertThat(evicted.size()).isLessThanOrEqualTo(budget);
    pod.isLeaving = true;
  }

  private boolean free(MoveNotice notice) {
    return notice.uuids().stream()
        .noneMatch(
            uuid ->
                pods.values().stream()
                    .anyMatch(
                        pod -> pod.cards.stream().anyMatch(c -> uuid(pod.node, c).equals(uuid))));
  }

  /** A pod that was evicted is gone a second later, and its controller has made another one. */
  private void controllers() {
    for (var pod : List.copyOf(pods.values())) {
      if (pod.isLeaving) {
        pods.remove(pod.uid);
        if (comesBack) {
          waiting(pod.size, pod.kin, pod.mayMove);
        }
      }
    }
  }

  /** First fit, replacements where they are booked, and nothing on cards that are kept. */
  private void schedule() {
    for (var pod : List.copyOf(pods.values())) {
      var booked = kept.stream().filter(it -> it.kin().equals(Optional.of(pod.kin))).findFirst();
      for (int node = 0; node < nodes && !pod.holds(); node++) {
        var free = free(node, pod, booked.map(KeptPlace::uuids));
        if (free.size() >= pod.size) {
          pod.node = node;
          pod.cards = new HashSet<>(free.subList(0, pod.size));
        }
      }
    }
  }

  private List<Integer> free(int node, SimPod pod, Optional<Set<String>> booked) {
    return IntStream.range(0, cards)
        .filter(card -> !sick.contains(uuid(node, card)))
        .filter(card -> booked.map(it -> it.contains(uuid(node, card))).orElse(true))
        .filter(
            card ->
                pods.values().stream()
                    .noneMatch(other -> other.node == node && other.cards.contains(card)))
        .filter(card -> kept.stream().noneMatch(it -> isKeptFrom(it, pod, uuid(node, card))))
        .boxed()
        .toList();
  }

  private static boolean isKeptFrom(KeptPlace place, SimPod pod, String uuid) {
    return place.uuids().contains(uuid)
        && !place.kin().equals(Optional.of(pod.kin))
        && !place.wanted().equals(Optional.of(pod.uid));
  }

  MoveView view() {
    var residents = new HashMap<String, Resident>();
    var wanted = new ArrayList<Wanted>();
    var waiting = new HashSet<String>();
    var all = IntStream.range(0, nodes).mapToObj(n -> "n" + n).collect(Collectors.toSet());
    for (var pod : pods.values()) {
      if (pod.holds()) {
        residents.put(pod.uid, resident(pod));
      } else {
        waiting.add(pod.uid);
        wanted.add(new Wanted(request(pod), all, pod.created));
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
    return new GpuRequest(pod.uid, shape(pod), Standing.preemptible(0));
  }

  private TargetWorkload workload() {
    return new TargetWorkload(
        List.of(
            new TaskClass(0, cards, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1),
            new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1)));
  }

  private ClusterSnapshot cluster() {
    var all = IntStream.range(0, nodes).mapToObj(this::node).toList();
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

  /** One pod at a time is under way, and no card has two pods. */
  private void verify() {
    assertThat(pods.values().stream().filter(pod -> pod.isLeaving)).hasSizeLessThanOrEqualTo(1);
    assertThat(pods.values().stream().filter(pod -> pod.notice.isPresent() && !pod.isLeaving))
        .hasSizeLessThanOrEqualTo(1);
    var taken = new HashSet<String>();
    pods.values()
        .forEach(
            pod ->
                pod.cards.forEach(
                    card -> assertThat(taken.add(uuid(pod.node, card))).as("free").isTrue()));
  }
}
