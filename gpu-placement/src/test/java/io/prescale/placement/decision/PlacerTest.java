package io.prescale.placement.decision;

import static io.prescale.placement.cluster.Clusters.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.PackingPolicy;
import io.prescale.placement.cluster.PackingPolicy.Direction;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.PlacementResult.Refused;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.filter.Reason;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.mig.MigCards;
import io.prescale.placement.preference.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlacerTest {
  private static final RequestShape HALF = RequestShape.of(1, new GpuDemand.Fraction(500));

  private final Placer placer = placer();

  private static Placer placer() {
    var workload =
        TargetWorkload.mostFrequent(
            Stream.of(HALF, HALF, RequestShape.of(1, GpuDemand.WholeGpu.ANY)));
    var linkedCards = new LinkedCards();
    return new Placer(Policy.prescale(new Fragmentation(workload), linkedCards), linkedCards);
  }

  private Placement placed(ClusterSnapshot cluster, RequestShape shape) {
    return ((Placed) placer.place(cluster, new GpuRequest("next", shape))).placement();
  }

  private Refused refused(ClusterSnapshot cluster, RequestShape shape) {
    return (Refused) placer.place(cluster, new GpuRequest("next", shape));
  }

  private static List<Integer> cards(Placement placement) {
    return placement.shares().stream().map(GpuShare::card).toList();
  }

  @Test
  void fillsAHalfBeforeItBreaksAWholeCard() {
    var cluster = ClusterSnapshot.of(List.of(Clusters.shared("a", 2), Clusters.shared("b", 2)));
    cluster = Clusters.put(cluster, Clusters.fraction("p", 500), "b", 1);

    var result = (Placed) placer.place(cluster, new GpuRequest("next", HALF));

    assertThat(result.placement().node()).isEqualTo("b");
    assertThat(cards(result.placement())).containsExactly(1);
    assertThat(result.placement().shares().getFirst().memoryMib()).isEqualTo(40 * GIB);
    assertThat(result.choice().sentence())
        .isEqualTo(
            "b is the best of 2 nodes that fit: least fragmentation, 54 of 100 points against 45 of"
                + " 100 points on a");
  }

  @Test
  void saysWhenThereWasNoChoice() {
    var one = ClusterSnapshot.of(List.of(Clusters.shared("a", 1)));
    var two = ClusterSnapshot.of(List.of(Clusters.shared("a", 1), Clusters.shared("b", 1)));
    var request = new GpuRequest("next", HALF);

    assertThat(((Placed) placer.place(one, request)).choice().sentence())
        .isEqualTo("a is the only node that fits");
    assertThat(((Placed) placer.place(two, request)).choice().sentence())
        .isEqualTo("a is the first of 2 nodes that fit, as good as b");
  }

  @Test
  void reportsForEveryNodeAndInTotalWhyItDoesNotFit() {
    var nodes = new ArrayList<NodeSpec>();
    for (int i = 0; i < 14; i++) {
      nodes.add(
          new NodeSpec("small" + i, 64_000, GIB, Clusters.cards("small" + i, 8, "T4", 16 * GIB)));
    }
    for (int i = 0; i < 3; i++) {
      nodes.add(Clusters.whole("unlinked" + i, 8));
    }
    nodes.add(Clusters.whole("drained", 8).withReadiness(Readiness.CORDONED));
    var shape =
        RequestShape.of(2, new GpuDemand.WholeGpu(40 * GIB))
            .withLinks(LinkRequirement.required(LinkScope.NVLINK));

    var refused = refused(ClusterSnapshot.of(nodes), shape);

    assertThat(refused.summary())
        .isEqualTo(
            "needs 2 GPUs with 40 GiB on NVLink: 14 nodes lack memory, 3 lack the link, 1 is"
                + " cordoned");
    assertThat(refused.nodes())
        .hasSize(18)
        .contains(
            new NodeRefusal("small3", Reason.GPU_MEMORY),
            new NodeRefusal("unlinked0", Reason.LINK),
            new NodeRefusal("drained", Reason.CORDONED));
  }

  @Test
  void namesEveryReasonOfOneNode() {
    var shared = Clusters.shared("a", 1);
    var cluster = ClusterSnapshot.of(List.of(shared));
    var half = Clusters.put(cluster, Clusters.fraction("p", 500), "a", 0);
    var sick =
        shared.gpus().get(0).withHealth(GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY));
    var oneSlot = shared.gpus().get(0).withPartitioning(Partitioning.HAMI_CORE, 1);

    assertRefused(ClusterSnapshot.of(List.of()), HALF, "there are no nodes");
    assertRefused(
        ClusterSnapshot.of(List.of(shared.withReadiness(Readiness.NOT_READY))),
        HALF,
        "1 node is not ready");
    assertRefused(cluster, RequestShape.of(2, GpuDemand.WholeGpu.ANY), "1 node has too few GPUs");
    assertRefused(cluster, HALF.withCards(Clusters.models("H100")), "1 node lacks the kind of GPU");
    assertRefused(
        ClusterSnapshot.of(List.of(Clusters.whole("a", 1))),
        HALF,
        "1 node has GPUs that are divided in another way");
    assertRefused(
        ClusterSnapshot.of(List.of(shared.withGpus(List.of(sick)))),
        HALF,
        "1 node lacks healthy GPUs");
    assertRefused(
        half, RequestShape.of(1, new GpuDemand.Share(10, 41 * GIB)), "1 node lacks memory");
    assertRefused(half, RequestShape.of(1, new GpuDemand.Share(501, 1)), "1 node lacks compute");
    assertRefused(half, RequestShape.of(1, GpuDemand.WholeGpu.ANY), "1 node lacks idle GPUs");
    assertRefused(
        Clusters.put(
            ClusterSnapshot.of(List.of(shared.withGpus(List.of(oneSlot)))),
            Clusters.fraction("p", 10),
            "a",
            0),
        HALF,
        "1 node lacks a free slot");
    assertRefused(cluster, HALF.withHost(new HostDemand(64_001, 0, "")), "1 node lacks CPU");
    assertRefused(
        cluster, HALF.withHost(new HostDemand(0, 513 * GIB, "")), "1 node lacks host memory");
  }

  private void assertRefused(ClusterSnapshot cluster, RequestShape shape, String why) {
    assertThat(refused(cluster, shape).summary()).isEqualTo("needs " + shape + ": " + why);
  }

  @Test
  void unlimitedComputeNeedsSomeComputeLeft() {
    var full =
        Clusters.put(
            ClusterSnapshot.of(List.of(Clusters.shared("a", 1))),
            new GpuRequest("p", RequestShape.of(1, new GpuDemand.Share(1000, GIB))),
            "a",
            0);

    assertRefused(full, RequestShape.of(1, new GpuDemand.Share(0, GIB)), "1 node lacks compute");
  }

  @Test
  void putsMigInstancesWhereTheRestStaysUseful() {
    var card = Gpu.whole("u", "nvidia", "A100", 80 * GIB).withMig(MigCards.A100_80GB);
    var cluster = ClusterSnapshot.of(List.of(new NodeSpec("a", 0, 0, List.of(card))));
    var shape = RequestShape.of(1, new GpuDemand.MigInstance("3g.40gb"));

    for (int i = 0; i < 2; i++) {
      cluster = cluster.with(((Placed) placer.place(cluster, named(shape, i))).placement());
    }

    assertThat(cluster.node(0).migSlices(0)).isEqualTo(0xFF);
    assertRefused(cluster, shape, "1 node lacks room for the MIG profile");
    assertRefused(
        cluster,
        RequestShape.of(1, new GpuDemand.MigInstance("1g.5gb")),
        "1 node has GPUs that are divided in another way");
  }

  private static GpuRequest named(RequestShape shape, int number) {
    return new GpuRequest("r" + number, shape);
  }

  @Test
  void takesLinkedCardsTogetherAndPrefersTheNodeThatHasThem() {
    var dgx = ClusterSnapshot.of(List.of(Clusters.whole("plain", 8), Clusters.dgx1("dgx")));
    var pair = RequestShape.of(2, GpuDemand.WholeGpu.ANY).withLinks(LinkRequirement.preferred());

    var placement = placed(dgx, pair);

    assertThat(placement.node()).isEqualTo("dgx");
    var links = dgx.node(1).spec().links().orElseThrow();
    assertThat(links.score(cards(placement).get(0), cards(placement).get(1)))
        .isGreaterThanOrEqualTo(200);
  }

  @Test
  void avoidsCardsWithSignsOfTroubleUnlessNothingElseIsLeft() {
    var spec = Clusters.shared("a", 3);
    var worn = spec.gpus().get(0).withHealth(GpuHealth.UNKNOWN.withErrors(0, 2, List.of()));
    var hot = spec.gpus().get(1).withHealth(GpuHealth.UNKNOWN.withTemperature(90));
    var cluster =
        ClusterSnapshot.of(List.of(spec.withGpus(List.of(worn, hot, spec.gpus().get(2)))));

    assertThat(cards(placed(cluster, HALF))).containsExactly(2);
    assertThat(cards(placed(cluster, RequestShape.of(2, GpuDemand.WholeGpu.ANY))))
        .containsExactly(1, 2);
    assertThat(cards(placed(cluster, RequestShape.of(3, GpuDemand.WholeGpu.ANY))))
        .containsExactly(0, 1, 2);
  }

  @Test
  void keepsToTheDirectionThatARequestAsksFor() {
    var cluster = ClusterSnapshot.of(List.of(Clusters.shared("a", 2), Clusters.shared("b", 2)));
    cluster = Clusters.put(cluster, Clusters.fraction("p", 300), "b", 1);
    var tenth = RequestShape.of(1, new GpuDemand.Fraction(100));

    var packed = placed(cluster, asking(tenth, Direction.BINPACK, Direction.BINPACK));
    var spreadOnCards = placed(cluster, asking(tenth, Direction.BINPACK, Direction.SPREAD));
    var spread = placed(cluster, asking(tenth, Direction.SPREAD, Direction.DEFAULT));

    assertThat(packed.node()).isEqualTo("b");
    assertThat(cards(packed)).containsExactly(1);
    assertThat(spreadOnCards.node()).isEqualTo("b");
    assertThat(cards(spreadOnCards)).containsExactly(0);
    assertThat(spread.node()).isEqualTo("a");
  }

  private static RequestShape asking(RequestShape shape, Direction nodes, Direction cards) {
    return shape.withPacking(new PackingPolicy(nodes, cards));
  }

  @Test
  void sharesOfSeveralCardsLieOnDifferentCards() {
    var cluster = ClusterSnapshot.of(List.of(Clusters.shared("a", 4)));
    cluster = Clusters.put(cluster, Clusters.fraction("p", 500), "a", 2);

    var placement = placed(cluster, RequestShape.of(3, new GpuDemand.Fraction(500)));

    assertThat(cards(placement)).hasSize(3).contains(2).doesNotHaveDuplicates();
  }

  @Test
  void placesPodsWithoutCards() {
    var cluster = ClusterSnapshot.of(List.of(Clusters.whole("a", 1)));

    assertThat(
            placed(
                    cluster,
                    RequestShape.of(0, new GpuDemand.NoGpu())
                        .withHost(new HostDemand(1000, GIB, "")))
                .shares())
        .isEmpty();
  }

  @Test
  void seesEveryChangeOfASnapshotDespiteCachedScores() {
    var cluster = ClusterSnapshot.of(List.of(Clusters.shared("a", 1), Clusters.shared("b", 1)));
    var first = placed(cluster, HALF);
    var request = new GpuRequest("first", HALF);
    var full =
        Clusters.put(
            cluster.with(new Placement(request, first.node(), first.shares())),
            Clusters.wholeGpus("w", 1),
            "b",
            0);

    assertThat(placed(full, HALF).node()).isEqualTo("a");
    var cordoned =
        full.withNode(full.node(0).withSpec(full.node(0).spec().withReadiness(Readiness.CORDONED)));
    assertThat(refused(cordoned, HALF).summary())
        .isEqualTo("needs 1 GPU with 500/1000: 1 node is cordoned, 1 lacks memory");
    assertThat(placed(cluster, HALF)).isEqualTo(first);
    var smaller = ClusterSnapshot.of(List.of(Clusters.shared("c", 1)));
    assertThat(placed(smaller, HALF).node()).isEqualTo("c");
  }
}
