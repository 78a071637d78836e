package io.prescale.placement.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.filter.Reason;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.preference.Policy;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShortlistTest {
  private static final RequestShape HALF = RequestShape.of(1, new GpuDemand.Fraction(500));

  private final Placer placer = placer();

  private static Placer placer() {
    var linkedCards = new LinkedCards();
    var workload = TargetWorkload.mostFrequent(Stream.of(HALF));
    return new Placer(Policy.prescale(new Fragmentation(workload), linkedCards), linkedCards);
  }

  /** Each place is the one that would be chosen without those before it. */
  @Test
  void listsNodesInTheOrderInWhichTheyWouldBeChosen() {
    var random = new SplittableRandom(6);
    var cluster =
        ClusterSnapshot.of(
            IntStream.range(0, 20).mapToObj(node -> Clusters.shared("n" + node, 4)).toList());
    for (int pod = 0; pod < 40; pod++) {
      var name = "n" + random.nextInt(20);
      cluster =
          Clusters.put(
              cluster,
              Clusters.fraction("pod-" + pod, random.nextInt(1, 500)),
              name,
              random.nextInt(4));
    }
    var request = new GpuRequest("next", HALF);

    var shortlist = placer.shortlist(cluster, request, all(cluster), _ -> 0, "", 6);

    assertThat(shortlist.places()).hasSize(6);
    for (var place : shortlist.places()) {
      assertThat(((Placed) placer.place(cluster, request)).placement()).isEqualTo(place);
      var node = cluster.find(place.node()).orElseThrow();
      cluster = cluster.withNode(node.withSpec(node.spec().withReadiness(Readiness.CORDONED)));
    }
  }

  @Test
  void comparesTheDistanceBeforeThePolicyAndAsksOnlyTheGivenNodes() {
    var cluster =
        ClusterSnapshot.of(
            IntStream.range(0, 4).mapToObj(node -> Clusters.shared("n" + node, 1)).toList());

    var shortlist =
        placer.shortlist(
            cluster,
            new GpuRequest("next", HALF),
            new int[] {1, 2, 3},
            node -> node.name().equals("n1") ? 1 : 0,
            "",
            10);

    assertThat(shortlist.places()).extracting(Placement::node).containsExactly("n2", "n3", "n1");
  }

  @Test
  void reportsForEveryNodeWhyNothingFits() {
    var cluster = ClusterSnapshot.of(Stream.of(Clusters.shared("n0", 1)).toList());

    var shortlist =
        placer.shortlist(cluster, Clusters.wholeGpus("next", 2), all(cluster), _ -> 0, "", 3);

    assertThat(shortlist.places()).isEmpty();
    assertThat(shortlist.refusals()).containsExactly(new NodeRefusal("n0", Reason.GPU_COUNT));
  }

  private static int[] all(ClusterSnapshot cluster) {
    return IntStream.range(0, cluster.size()).toArray();
  }
}
