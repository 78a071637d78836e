package io.prescale.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.Gang;
import io.prescale.placement.decision.GangPlacer;
import io.prescale.placement.decision.GangResult;
import io.prescale.placement.decision.PlacementResult;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.preference.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every decision on thousands of random clusters is legal by an independent count. */
class RandomClustersTest {
  private static final int CLUSTERS = 2_000;

  @Test
  void everyPlacementIsLegalAndEveryRefusalHasAReasonForEachNode() {
    int placed = 0;
    int refused = 0;
    for (long seed = 0; seed < CLUSTERS; seed++) {
      var random = new RandomClusters(seed);
      var nodes = random.nodes(6);
      var requests = random.requests(30);
      var placer = placer(requests);
      var cluster = ClusterSnapshot.of(nodes);
      var leaves = new SplittableRandom(seed);
      for (var request : requests) {
        switch (placer.place(cluster, request)) {
          case PlacementResult.Placed result -> {
            cluster = cluster.with(result.placement());
            placed++;
          }
          case PlacementResult.Refused result -> {
            assertThat(result.nodes()).as("seed %d, %s", seed, request).hasSize(nodes.size());
            refused++;
          }
        }
        if (leaves.nextInt(5) == 0) {
          cluster = withoutOne(cluster, leaves);
        }
        assertLegal(nodes, cluster, seed);
      }
    }
    assertThat(placed).isGreaterThan(10_000);
    assertThat(refused).isGreaterThan(10_000);
  }

  @Test
  void everyGangIsWholeAndStaysWithinItsScope() {
    int whole = 0;
    int none = 0;
    for (long seed = 0; seed < CLUSTERS; seed++) {
      var random = new RandomClusters(seed);
      var nodes = random.nodes(8);
      var sizes = new SplittableRandom(seed);
      var cluster = ClusterSnapshot.of(nodes);
      var asked = new ArrayList<GpuRequest>();
      for (var scope : Clusters.LEVELS.scopes()) {
        var members = random.gang("g" + scope.name(), 1 + sizes.nextInt(5));
        var gang = new Gang("g" + scope.name(), members, NetworkScope.NODE, scope);
        switch (new GangPlacer(placer(members), Clusters.LEVELS).place(cluster, gang)) {
          case GangResult.Whole result -> {
            for (var placement : result.placements()) {
              cluster = cluster.with(placement);
            }
            asked.addAll(members);
            assertThat(
                    new PlacementVerifier(nodes).gangFindings(members, result.placements(), scope))
                .as("seed %d", seed)
                .isEmpty();
            whole++;
          }
          case GangResult.None result -> {
            assertThat(result.fitting()).isLessThan(members.size());
            none++;
          }
        }
        assertLegal(nodes, cluster, seed);
      }
      var all = cluster.placements().toList();
      assertThat(new PlacementVerifier(nodes).gangFindings(asked, all, NetworkScope.CLUSTER))
          .isEmpty();
    }
    assertThat(whole).isGreaterThan(1_000);
    assertThat(none).isGreaterThan(1_000);
  }

  private static void assertLegal(List<NodeSpec> nodes, ClusterSnapshot cluster, long seed) {
    var findings = new PlacementVerifier(nodes).findings(cluster.placements().toList());
    assertThat(findings).as("seed %d", seed).isEmpty();
  }

  private static ClusterSnapshot withoutOne(ClusterSnapshot cluster, SplittableRandom random) {
    List<Placement> placements = cluster.placements().toList();
    return placements.isEmpty()
        ? cluster
        : cluster.without(placements.get(random.nextInt(placements.size())));
  }

  private static Placer placer(List<GpuRequest> requests) {
    var linkedCards = new LinkedCards();
    var workload = TargetWorkload.mostFrequent(requests.stream().map(GpuRequest::shape));
    return new Placer(Policy.prescale(new Fragmentation(workload), linkedCards), linkedCards);
  }
}
