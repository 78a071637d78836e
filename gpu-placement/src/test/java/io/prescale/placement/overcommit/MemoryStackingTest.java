package io.prescale.placement.overcommit;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.mig.MigCards;
import io.prescale.placement.overcommit.BoundedRisk.Dependence;
import io.prescale.placement.preference.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Overcommitted memory reaches the filter, and only for shares. */
class MemoryStackingTest {
  private static final int CARD = 80 * Clusters.GIB;
  private static final OvercommitRule HALF_MORE = new ConstantFactor(1500);
  private static final MemoryUsage IDLE_HALF = new MemoryUsage(CARD / 2, 1024, 512);

  @Test
  void promisesMoreToSharesOnlyWithTheRule() {
    var one = GpuNode.of(Clusters.shared("n", 1));
    var stacking = new MemoryStacking(HALF_MORE, UsageOfCards.byPod(Map.of()));

    assertThat(placed(one, halves(3))).isEqualTo(2);
    assertThat(placed(stacking.applyTo(one), halves(3))).isEqualTo(3);
  }

  @Test
  void promisesNothingMoreWhereSizesAreFixed() {
    var card = Clusters.cards("n", 1, "A100", CARD).getFirst();
    for (var gpu :
        List.of(
            card,
            card.withPartitioning(Partitioning.MPS, 4),
            card.withPartitioning(Partitioning.VGPU, 4),
            card.withMig(MigCards.A100_80GB))) {
      var node =
          new MemoryStacking(HALF_MORE, UsageOfCards.byPod(Map.of()))
              .applyTo(GpuNode.of(nodeOf(gpu)));
      assertThat(node.freeGpuMemoryMib(0)).as("%s", gpu.partitioning()).isEqualTo(CARD);
    }
  }

  @Test
  void wholeCardsAreMeasuredByTheMemoryThatTheyHave() {
    var node =
        new MemoryStacking(HALF_MORE, UsageOfCards.byPod(Map.of()))
            .applyTo(GpuNode.of(Clusters.shared("n", 1)));
    var large = new GpuRequest("w", RequestShape.of(1, new GpuDemand.WholeGpu(CARD + 1)));

    assertThat(placed(node, List.of(large))).isZero();
  }

  @Test
  void aCardThatAPodHasForItselfPromisesNothingMore() {
    var whole = new GpuRequest("w", RequestShape.of(1, new GpuDemand.WholeGpu(CARD)));
    var node = placedOn(GpuNode.of(Clusters.shared("n", 1)), List.of(whole));

    var stacked = new MemoryStacking(HALF_MORE, UsageOfCards.byPod(Map.of())).applyTo(node);

    assertThat(stacked.freeGpuMemoryMib(0)).isZero();
  }

  @Test
  void countsAShareWithAllItAsksUntilItWasObserved() {
    var rule = new BoundedRisk(10_000, Dependence.ANY);
    var two = placedOn(GpuNode.of(Clusters.shared("n", 1)), halves(2));
    var unknown = new MemoryStacking(rule, UsageOfCards.byPod(Map.of())).applyTo(two);
    var observed =
        new MemoryStacking(rule, UsageOfCards.byPod(Map.of("h0", IDLE_HALF, "h1", IDLE_HALF)))
            .applyTo(two);

    assertThat(unknown.freeGpuMemoryMib(0)).isZero();
    assertThat(observed.freeGpuMemoryMib(0)).isGreaterThan(CARD / 2);
    assertThat(observed.without("h0").freeGpuMemoryMib(0)).isEqualTo(CARD / 2);
  }

  @Test
  void neverPromisesMoreThanCantellisBoundAllowsOnRandomCards() {
    int stacked = 0;
    for (long seed = 0; seed < 300; seed++) {
      var random = new SplittableRandom(seed);
      var usage = new HashMap<String, MemoryUsage>();
      var stacking =
          new MemoryStacking(new BoundedRisk(10_000, Dependence.ANY), UsageOfCards.byPod(usage));
      var node = stacking.applyTo(GpuNode.of(Clusters.shared("n", 2)));
      var shapes = new ArrayList<GpuRequest>();
      for (int pod = 0; pod < 30; pod++) {
        int limit = random.nextInt(1024, CARD / 2);
        shapes.add(share("p" + pod, limit));
        usage.put(
            "p" + pod,
            new MemoryUsage(limit, random.nextInt(limit / 2), random.nextInt(1 + limit / 8)));
      }
      stacking = new MemoryStacking(stacking.rule(), UsageOfCards.byPod(usage));
      for (var request : shapes) {
        node = stacking.applyTo(placedOn(node, List.of(request)));
        stacked += assertWithinBound(node, usage, request.name(), seed);
      }
    }
    assertThat(stacked).isGreaterThan(100);
  }

  /**
   * Counts independently, the newest pod with all it requests; returns how many cards are
   * overcommitted.
   */
  private static int assertWithinBound(
      GpuNode node, Map<String, MemoryUsage> usage, String newest, long seed) {
    int stacked = 0;
    for (int card = 0; card < node.cards(); card++) {
      double promised = 0;
      double mean = 0;
      double deviation = 0;
      for (var placement : node.placements()) {
        for (var share : placement.shares()) {
          if (share.card() == card) {
            var name = placement.request().name();
            var seen = Objects.requireNonNull(usage.get(name));
            promised += share.memoryMib();
            mean += name.equals(newest) ? share.memoryMib() : seen.meanMib();
            deviation += name.equals(newest) ? 0 : seen.deviationMib();
          }
        }
      }
      if (promised > CARD && node.placementOf(newest).isPresent()) {
        double spare = CARD - mean;
        double chance = deviation * deviation / (deviation * deviation + spare * spare);
        if (node.placementOf(newest).get().shares().getFirst().card() == card) {
          assertThat(spare).as("seed %d", seed).isPositive();
          assertThat(chance).as("seed %d", seed).isLessThanOrEqualTo(0.01);
          stacked++;
        }
      }
    }
    return stacked;
  }

  private static NodeSpec nodeOf(Gpu gpu) {
    return new NodeSpec("n", 64_000, 512 * Clusters.GIB, List.of(gpu));
  }

  private static List<GpuRequest> halves(int count) {
    return Stream.iterate(0, i -> i + 1).limit(count).map(i -> share("h" + i, CARD / 2)).toList();
  }

  private static GpuRequest share(String name, int mib) {
    return new GpuRequest(name, RequestShape.of(1, new GpuDemand.Share(0, mib)));
  }

  private static int placed(GpuNode node, List<GpuRequest> requests) {
    return placedOn(node, requests).placements().size();
  }

  private static GpuNode placedOn(GpuNode node, List<GpuRequest> requests) {
    var linkedCards = new LinkedCards();
    var workload = TargetWorkload.mostFrequent(requests.stream().map(GpuRequest::shape));
    var placer = new Placer(Policy.prescale(new Fragmentation(workload), linkedCards), linkedCards);
    var cluster = ClusterSnapshot.ofNodes(List.of(node));
    for (var request : requests) {
      if (placer.place(cluster, request) instanceof Placed result) {
        cluster = cluster.with(result.placement());
      }
    }
    return cluster.node(0);
  }
}
