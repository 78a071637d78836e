package io.prescale.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.consolidation.Consolidator;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.consolidation.MovePlan;
import io.prescale.placement.consolidation.MoveRules;
import io.prescale.placement.consolidation.Plans;
import io.prescale.placement.decision.PlacementResult;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.preference.Policy;
import io.prescale.placement.queue.FairShares;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.QueueLedger;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import io.prescale.placement.queue.ReclaimBudget;
import io.prescale.placement.reclaim.ReclaimRequest;
import io.prescale.placement.reclaim.ReclaimResult;
import io.prescale.placement.reclaim.Reclaimer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Makes room on thousands of random clusters, with cards of every kind, queues and gangs, and
 * checks by an independent count that every eviction and move is allowed, needed and leaves a legal
 * cluster.
 */
class RandomRoomTest {
  private static final int CLUSTERS = 2_000;
  private static final Map<String, Integer> GANG_MINIMUM = Map.of("g0", 1, "g1", 2);
  private static final MoveRules RULES = MoveRules.atMost(6).withGangMinimum(GANG_MINIMUM);

  private int reclaimed;
  private int evicted;
  private int notReclaimable;

  /** A random cluster with pods of two queues and three gangs, and one pod that wants a place. */
  private static final class Scene {
    private final List<NodeSpec> nodes;
    private final List<GpuRequest> pods;
    private final GpuRequest wanted;
    private final Fragmentation fragmentation;
    private final ClusterSnapshot cluster;
    private final QueueTree queues;
    private final Map<String, Long> guaranteed;

    Scene(long seed) {
      var clusters = new RandomClusters(seed);
      var random = new SplittableRandom(seed);
      nodes = clusters.nodes(4);
      pods = clusters.requests(30).stream().map(pod -> withStanding(pod, random)).toList();
      var shape = clusters.requests(1).getFirst().shape();
      wanted = new GpuRequest("wanted", shape, new Standing("a", 1, false, Optional.empty()));
      fragmentation =
          new Fragmentation(TargetWorkload.mostFrequent(pods.stream().map(GpuRequest::shape)));
      var linkedCards = new LinkedCards();
      var placer = new Placer(Policy.prescale(fragmentation, linkedCards), linkedCards);
      var filled = ClusterSnapshot.of(nodes);
      for (var pod : pods) {
        if (placer.place(filled, pod) instanceof PlacementResult.Placed placed) {
          filled = filled.with(placed.placement());
        }
      }
      cluster = filled;
      guaranteed = Map.of("a", 1000L * random.nextInt(20), "b", 1000L * random.nextInt(8));
      queues =
          QueueTree.of(
              guaranteed.entrySet().stream()
                  .map(queue -> Queue.leaf(queue.getKey(), Quota.train(queue.getValue(), 1)))
                  .toList());
    }

    private static GpuRequest withStanding(GpuRequest pod, SplittableRandom random) {
      int gang = random.nextInt(8);
      var standing =
          new Standing(
              random.nextInt(3) == 0 ? "a" : "b",
              random.nextInt(2),
              random.nextInt(5) > 0,
              gang < 3 ? Optional.of("g" + gang) : Optional.empty());
      return new GpuRequest(pod.name(), pod.shape(), standing);
    }

    Map<String, Long> used(ClusterSnapshot snapshot, boolean firmOnly) {
      var used = new HashMap<String, Long>();
      snapshot
          .placements()
          .filter(pod -> !(firmOnly && pod.request().standing().preemptible()))
          .forEach(pod -> used.merge(pod.request().standing().queue(), milliOf(pod), Long::sum));
      return used;
    }

    /** On each card the larger share of compute and memory, rounded up. */
    long milliOf(Placement pod) {
      var node = cluster.find(pod.node()).orElseThrow();
      return pod.shares().stream()
          .mapToLong(
              share -> {
                Gpu gpu = node.gpu(share.card());
                double compute = (double) share.computeMilli() / gpu.computeMilli();
                double memory = (double) share.memoryMib() / gpu.memoryMib();
                return (long) Math.ceil(1000 * Math.max(compute, memory) - 1e-9);
              })
          .sum();
    }

    List<String> findings(ClusterSnapshot snapshot) {
      return new PlacementVerifier(nodes).findings(snapshot.placements().toList());
    }
  }

  @Test
  void everyEvictionIsAllowedAndNeededAndLeavesEverythingLegal() {
    for (long seed = 0; seed < CLUSTERS; seed++) {
      var scene = new Scene(seed);
      check(scene, Optional.empty(), seed);
      var capacity = 1000L * scene.cluster.nodes().mapToLong(node -> node.cards()).sum();
      var used = scene.used(scene.cluster, false);
      var asked = new HashMap<>(used);
      asked.merge("a", 8000L, Long::sum);
      var shares = FairShares.of(scene.queues, capacity, asked);
      var ledger = QueueLedger.of(shares, used, scene.used(scene.cluster, true));
      check(scene, Optional.of(ledger.reclaimFor("a", 8000)), seed);
    }
    assertThat(reclaimed).isGreaterThan(1_000);
    assertThat(evicted).isGreaterThan(500);
    assertThat(notReclaimable).isGreaterThan(500);
  }

  private void check(Scene scene, Optional<ReclaimBudget> budget, long seed) {
    var claim = new ReclaimRequest(List.of(scene.wanted), budget, GANG_MINIMUM);
    switch (new Reclaimer(new LinkedCards()).decide(scene.cluster, claim)) {
      case ReclaimResult.NotReclaimable none -> {
        assertThat(none.reason()).startsWith("needs ");
        notReclaimable++;
      }
      case ReclaimResult.Reclaimed found -> {
        reclaimed++;
        evicted += found.victims().size();
        assertThat(problems(scene, claim, found)).as("seed %d", seed).isEmpty();
      }
    }
  }

  private static List<String> problems(
      Scene scene, ReclaimRequest claim, ReclaimResult.Reclaimed found) {
    var after = without(scene.cluster, found.victims());
    var problems = new ArrayList<>(scene.findings(with(after, found.placements())));
    for (var victim : found.victims()) {
      var standing = victim.request().standing();
      if (!standing.preemptible()) {
        problems.add(victim.request().name() + " must not be evicted");
      }
      boolean own = claim.budget().isEmpty() || standing.queue().equals("a");
      if (own && standing.priority() >= 1) {
        problems.add(victim.request().name() + " is of no lower priority");
      }
      var others = new ArrayList<>(found.victims());
      others.removeAll(departing(victim, after, found.victims()));
      var kept = without(scene.cluster, others);
      if (found.placements().stream().allMatch(place -> isLegalWith(scene, kept, place))) {
        problems.add(victim.request().name() + " is evicted for nothing");
      }
    }
    for (var gang : GANG_MINIMUM.keySet()) {
      long left = members(after, gang);
      if (left < members(scene.cluster, gang)
          && left > 0
          && left < GANG_MINIMUM.getOrDefault(gang, 0)) {
        problems.add("%d pods of gang %s are left".formatted(left, gang));
      }
    }
    if (claim.budget().isPresent()) {
      long before = scene.used(scene.cluster, false).getOrDefault("b", 0L);
      long now = scene.used(after, false).getOrDefault("b", 0L);
      if (now < Math.min(before, scene.guaranteed.getOrDefault("b", 0L))) {
        problems.add("queue b is left with %d".formatted(now));
      }
    }
    return problems;
  }

  /** A victim, with its whole gang when that has ended. */
  private static List<Placement> departing(
      Placement victim, ClusterSnapshot after, List<Placement> victims) {
    var gang = victim.request().standing().gang();
    return gang.isPresent() && members(after, gang.get()) == 0
        ? victims.stream().filter(it -> it.request().standing().gang().equals(gang)).toList()
        : List.of(victim);
  }

  private static boolean isLegalWith(Scene scene, ClusterSnapshot cluster, Placement place) {
    var all = Stream.concat(cluster.placements(), Stream.of(place)).toList();
    return new PlacementVerifier(scene.nodes).findings(all).isEmpty();
  }

  private static long members(ClusterSnapshot cluster, String gang) {
    return cluster
        .placements()
        .filter(pod -> pod.request().standing().gang().filter(gang::equals).isPresent())
        .count();
  }

  private static ClusterSnapshot without(ClusterSnapshot cluster, List<Placement> gone) {
    var left = cluster;
    for (var placement : gone) {
      left = left.without(placement);
    }
    return left;
  }

  private static ClusterSnapshot with(ClusterSnapshot cluster, List<Placement> more) {
    var all = cluster;
    for (var placement : more) {
      all = all.with(placement);
    }
    return all;
  }

  @Test
  void everyPrefixOfMovesIsLegalAndMovesOnlyWhatMayMove() {
    int moves = 0;
    int rooms = 0;
    for (long seed = 0; seed < CLUSTERS; seed++) {
      var scene = new Scene(seed);
      var start = thinned(scene.cluster);
      var consolidator = new Consolidator(new LinkedCards());
      var room = consolidator.freeShape(start, scene.wanted, RULES);
      assertThat(problems(scene, start, room)).as("seed %d", seed).isEmpty();
      if (room.target().isPresent()) {
        rooms += room.moves().isEmpty() ? 0 : 1;
        var after = Plans.after(room, start, room.moves().size());
        assertThat(scene.findings(after.with(room.target().get()))).as("seed %d", seed).isEmpty();
      }
      var lower = consolidator.lowerFragmentation(start, scene.fragmentation, RULES);
      assertThat(problems(scene, start, lower)).as("seed %d", seed).isEmpty();
      var after = Plans.after(lower, start, lower.moves().size());
      assertThat(scene.fragmentation.milliOf(after))
          .as("seed %d", seed)
          .isLessThanOrEqualTo(scene.fragmentation.milliOf(start) + 1e-6);
      moves += lower.moves().size();
    }
    assertThat(rooms).isGreaterThan(30);
    assertThat(moves).isGreaterThan(300);
  }

  /** The cluster without every third pod, so that free capacity is scattered. */
  private static ClusterSnapshot thinned(ClusterSnapshot cluster) {
    var pods = cluster.placements().toList();
    return without(
        cluster,
        IntStream.range(0, pods.size()).filter(i -> i % 3 == 0).mapToObj(pods::get).toList());
  }

  @Test
  void workOfACardThatTurnsSickMovesFirst() {
    int moves = 0;
    for (long seed = 0; seed < CLUSTERS; seed++) {
      var scene = new Scene(seed);
      var sick = withSickCards(scene.cluster);
      var plan =
          new Consolidator(new LinkedCards()).lowerFragmentation(sick, scene.fragmentation, RULES);
      var reasons = plan.moves().stream().map(Move::reason).toList();
      assertThat(reasons.lastIndexOf(Move.Reason.SICK_CARD))
          .isEqualTo(reasons.stream().filter(Move.Reason.SICK_CARD::equals).count() - 1);
      assertThat(problems(scene, sick, plan)).as("seed %d", seed).isEmpty();
      moves += reasons.contains(Move.Reason.SICK_CARD) ? 1 : 0;
    }
    assertThat(moves).isGreaterThan(100);
  }

  /** The first card of every node is unhealthy. */
  private static ClusterSnapshot withSickCards(ClusterSnapshot cluster) {
    return ClusterSnapshot.ofNodes(
        cluster
            .nodes()
            .map(
                node -> {
                  var gpus = new ArrayList<>(node.spec().gpus());
                  if (!gpus.isEmpty()) {
                    var failed = GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY);
                    gpus.set(0, gpus.getFirst().withHealth(failed));
                  }
                  return node.withSpec(node.spec().withGpus(gpus));
                })
            .toList());
  }

  /** Checks new places on the cards as they are now, old ones as they were. */
  private static List<String> problems(Scene scene, ClusterSnapshot start, MovePlan plan) {
    var now = new PlacementVerifier(start.nodes().map(node -> node.spec()).toList());
    var problems = new ArrayList<String>();
    var moved = new HashSet<String>();
    for (int step = 1; step <= plan.moves().size(); step++) {
      var move = plan.moves().get(step - 1);
      var name = move.from().request().name();
      problems.addAll(scene.findings(Plans.after(plan, start, step)));
      problems.addAll(now.findings(List.of(move.to())));
      // The pod may start at its new place before it stops at the old one.
      var both = new ArrayList<>(Plans.after(plan, start, step - 1).placements().toList());
      both.add(copy(move.to()));
      problems.addAll(new PlacementVerifier(scene.nodes).findings(both));
      if (!moved.add(name) || !move.from().request().standing().preemptible()) {
        problems.add(name + " must not move");
      }
    }
    return problems;
  }

  private static Placement copy(Placement placement) {
    var request = placement.request();
    return new Placement(
        new GpuRequest(request.name() + " again", request.shape(), request.standing()),
        placement.node(),
        placement.shares());
  }
}
