package io.prescale.placement.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.preference.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GangPlacerTest {
  private final GangPlacer placer = gangPlacer();

  private static GangPlacer gangPlacer() {
    var workload =
        TargetWorkload.mostFrequent(Stream.of(RequestShape.of(1, GpuDemand.WholeGpu.ANY)));
    var links = new LinkedCards();
    return new GangPlacer(
        new Placer(Policy.prescale(new Fragmentation(workload), links), links), Clusters.LEVELS);
  }

  /** Racks r0, r1, … of {@code nodes} nodes with four cards each. */
  private static ClusterSnapshot racks(int racks, int nodes) {
    var specs = new ArrayList<NodeSpec>();
    for (int rack = 0; rack < racks; rack++) {
      for (int node = 0; node < nodes; node++) {
        specs.add(
            Clusters.shared("r" + rack + "n" + node, 4)
                .withPosition(Clusters.position("", "r" + rack, "b")));
      }
    }
    return ClusterSnapshot.of(specs);
  }

  private static Gang gang(int members, int gpus, NetworkScope preferred, NetworkScope required) {
    var requests =
        IntStream.range(0, members).mapToObj(i -> Clusters.wholeGpus("m" + i, gpus)).toList();
    return new Gang("train", requests, preferred, required);
  }

  private static List<String> nodes(GangResult result) {
    return ((GangResult.Whole) result).placements().stream().map(Placement::node).toList();
  }

  @Test
  void takesTheFullestRackThatHoldsAll() {
    var cluster = racks(3, 2);
    cluster = Clusters.put(cluster, Clusters.wholeGpus("a", 3), "r0n0", 0, 1, 2);
    cluster = Clusters.put(cluster, Clusters.wholeGpus("b", 1), "r1n0", 0);

    var result = placer.place(cluster, gang(3, 2, Clusters.RACK, Clusters.RACK));

    assertThat(nodes(result)).containsExactly("r1n0", "r1n1", "r1n1");
  }

  @Test
  void goesOutwardsFromThePreferredScope() {
    var onOneNode = placer.place(racks(2, 2), gang(2, 2, NetworkScope.NODE, NetworkScope.CLUSTER));
    var inOneRack = placer.place(racks(2, 2), gang(2, 3, NetworkScope.NODE, NetworkScope.CLUSTER));
    var anywhere = placer.place(racks(2, 2), gang(3, 3, Clusters.RACK, NetworkScope.CLUSTER));

    assertThat(nodes(onOneNode)).containsOnly("r0n0");
    assertThat(nodes(inOneRack)).containsExactly("r0n0", "r0n1");
    assertThat(nodes(anywhere)).containsExactly("r0n0", "r0n1", "r1n0");
  }

  @Test
  void placesNoneWhenOneIsMissing() {
    var cluster = Clusters.put(racks(2, 1), Clusters.wholeGpus("a", 2), "r0n0", 0, 1);

    var none = (GangResult.None) placer.place(cluster, gang(3, 2, Clusters.RACK, Clusters.RACK));

    assertThat(none.fitting()).isEqualTo(2);
    assertThat(none.summary())
        .isEqualTo(
            "2 of 3 members of train fit one rack (b/r1); the next needs 2 GPUs: 1 node lacks idle"
                + " GPUs");
  }

  @Test
  void saysWhenPositionsAreNotKnown() {
    var cluster = ClusterSnapshot.of(List.of(Clusters.shared("a", 4)));

    var none =
        (GangResult.None)
            placer.place(cluster, gang(2, 1, Clusters.NVLINK_DOMAIN, Clusters.NVLINK_DOMAIN));

    assertThat(none.summary())
        .isEqualTo(
            "0 of 2 members of train fit one NVLink domain; the next needs 1 GPU: 1 node has no"
                + " known position");
  }

  @Test
  void placesTheLargestMembersFirst() {
    var cluster = racks(1, 2);
    var members =
        List.of(
            Clusters.fraction("small", 100),
            Clusters.wholeGpus("four", 4),
            Clusters.wholeGpus("three", 3));

    var result = placer.place(cluster, new Gang("g", members));

    assertThat(((GangResult.Whole) result).placements())
        .extracting(placement -> placement.request().name())
        .containsExactly("four", "three", "small");
  }

  @Test
  void refusesNonsense() {
    var one = Clusters.fraction("a", 1);
    assertThatThrownBy(() -> new Gang("g", List.of())).hasMessage("gang g has no members");
    assertThatThrownBy(() -> new Gang("g", List.of(one, one)))
        .hasMessage("gang g has two members of one name");
    assertThatThrownBy(() -> new Gang("g", List.of(one), NetworkScope.CLUSTER, NetworkScope.NODE))
        .hasMessage("gang g prefers the cluster, which is wider than one node, which it requires");
  }

  /**
   * Gangs of one shape are placed exactly when the capacity of some rack, counted independently, is
   * enough.
   */
  @Test
  void findsAWayForEqualMembersWheneverThereIsOne() {
    int whole = 0;
    for (int seed = 0; seed < 500; seed++) {
      var random = new SplittableRandom(seed);
      var cluster = randomlyFilled(random);
      int members = 1 + random.nextInt(6);
      var shape =
          random.nextBoolean()
              ? RequestShape.of(1 + random.nextInt(3), GpuDemand.WholeGpu.ANY)
              : RequestShape.of(1, new GpuDemand.Fraction(100 * (1 + random.nextInt(9))));
      var requests =
          IntStream.range(0, members).mapToObj(i -> new GpuRequest("m" + i, shape)).toList();

      var result = placer.place(cluster, new Gang("g", requests, Clusters.RACK, Clusters.RACK));

      boolean possible =
          capacity(cluster, "r0", shape) >= members || capacity(cluster, "r1", shape) >= members;
      assertThat(result instanceof GangResult.Whole).as("seed %d", seed).isEqualTo(possible);
      if (result instanceof GangResult.Whole(var placed)) {
        whole++;
        var after = cluster;
        var rack = placed.getFirst().placement().node().substring(0, "r0".length());
        for (var member : placed) {
          assertThat(member.placement().node()).startsWith(rack);
          after = after.with(member.placement());
        }
        after.nodes().forEach(GangPlacerTest::assertNotOverfull);
      }
    }
    assertThat(whole).isBetween(100, 400);
  }

  private static void assertNotOverfull(GpuNode node) {
    for (int card = 0; card < node.cards(); card++) {
      assertThat(node.freeComputeMilli(card)).isNotNegative();
      assertThat(node.freeGpuMemoryMib(card)).isNotNegative();
    }
  }

  private static ClusterSnapshot randomlyFilled(SplittableRandom random) {
    var cluster = racks(2, 2);
    for (int i = 0; i < 16; i++) {
      if (random.nextInt(3) > 0) {
        int milli = 100 * (1 + random.nextInt(9));
        var request = Clusters.fraction("p" + i, milli);
        cluster = Clusters.put(cluster, request, "r" + (i / 8) + "n" + (i / 4 % 2), i % 4);
      }
    }
    return cluster;
  }

  private static long capacity(ClusterSnapshot cluster, String rack, RequestShape shape) {
    return cluster
        .nodes()
        .filter(node -> node.name().startsWith(rack))
        .mapToLong(
            node ->
                shape.demand() instanceof GpuDemand.Fraction(int milli)
                    ? IntStream.range(0, 4).map(card -> node.freeComputeMilli(card) / milli).sum()
                    : node.idleCards().size() / shape.gpus())
        .sum();
  }
}
