package io.prescale.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.MigSlot;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.mig.MigCards;
import io.prescale.placement.topology.KnownMachines;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The verifier finds each kind of breach. */
class PlacementVerifierTest {
  private static final Gpu CARD =
      Gpu.whole("c0", "nvidia", "A", 1000).withPartitioning(Partitioning.HAMI_CORE, 2);
  private static final NodeSpec NODE = new NodeSpec("n", 1000, 1000, List.of(CARD));

  @Test
  void findsNothingWrongWithSharesThatFit() {
    assertThat(findings(NODE, half("a"), half("b"))).isEmpty();
  }

  @Test
  void findsACardThatIsPromisedMoreThanOnce() {
    assertThat(findings(NODE, share("a", 600, 100), share("b", 600, 100)))
        .containsExactly("c0 has 1000 milli and 1000 MiB, of which 1200 and 200 are promised");
    assertThat(findings(NODE, share("a", 1, 600), share("b", 1, 600))).hasSize(1);
    assertThat(findings(NODE, share("a", 1, 1), share("b", 1, 1), share("c", 1, 1)))
        .containsExactly("c0 has 2 slots and 3 sharers");
  }

  @Test
  void findsLessThanWasAskedFor() {
    var request = new GpuRequest("a", RequestShape.of(1, new GpuDemand.Share(500, 500)));
    var placement =
        new Placement(request, "n", List.of(new GpuShare(0, "c0", 500, 499, Optional.empty())));

    assertThat(findings(NODE, placement)).hasSize(1).first().asString().startsWith("a asks for ");
  }

  @Test
  void findsAHostThatIsPromisedMoreThanItHas() {
    var shape = RequestShape.of(0, new GpuDemand.NoGpu()).withHost(new HostDemand(600, 1, ""));
    var first = new Placement(new GpuRequest("a", shape), "n", List.of());
    var second = new Placement(new GpuRequest("b", shape), "n", List.of());

    assertThat(findings(NODE, first, second))
        .containsExactly("n has 1000 milli and 1000 MiB, of which 1200 and 2 are promised");
  }

  @Test
  void findsNodesAndCardsThatTakeNothing() {
    var sick = CARD.withHealth(GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY));

    assertThat(findings(NODE.withReadiness(NodeSpec.Readiness.CORDONED), half("a")))
        .containsExactly("a is on n, which is CORDONED");
    assertThat(findings(NODE.withGpus(List.of(sick)), half("a")))
        .containsExactly("a is on c0, which is UNHEALTHY");
  }

  @Test
  void findsMigInstancesThatOverlapOrLieWhereTheyMayNot() {
    var node = NODE.withGpus(List.of(CARD.withMig(MigCards.A100_80GB)));

    assertThat(findings(node, mig("a", "3g.40gb", 0, 4), mig("b", "3g.40gb", 4, 4))).isEmpty();
    assertThat(findings(node, mig("a", "3g.40gb", 0, 4), mig("b", "2g.20gb", 2, 2)))
        .containsExactly("c0: MIG instances overlap or leave the card");
    assertThat(findings(node, mig("a", "3g.40gb", 2, 4))).hasSize(1);
  }

  @Test
  void findsCardsThatAreNotLinkedAsRequired() {
    var gpus =
        IntStream.range(0, 8).mapToObj(card -> Gpu.whole("c" + card, "nvidia", "V", 1000)).toList();
    var node = new NodeSpec("n", 1, 1, gpus).withLinks(KnownMachines.dgx1V100());

    assertThat(findings(node, linked(0, 3))).isEmpty();
    assertThat(findings(node, linked(0, 5)))
        .containsExactly("l needs NVLink between cards 0 and 5 of n");
  }

  @Test
  void findsATornGangAndOneThatIsTooFarApart() {
    var near = NODE.withPosition(Clusters.position("", "r1", ""));
    var far = new NodeSpec("m", 1, 1, List.of()).withPosition(Clusters.position("", "r2", ""));
    var standing = new Standing("", 0, false, Optional.of("g"));
    var shape = RequestShape.of(0, new GpuDemand.NoGpu()).withHost(HostDemand.NONE);
    var members =
        List.of(new GpuRequest("a", shape, standing), new GpuRequest("b", shape, standing));
    var first = new Placement(members.getFirst(), "n", List.of());
    var second = new Placement(members.getLast(), "m", List.of());
    var verifier = new PlacementVerifier(List.of(near, far));

    assertThat(verifier.gangFindings(members, List.of(first), NetworkScope.CLUSTER))
        .containsExactly("gang g: 1 of 2 members are placed");
    assertThat(verifier.gangFindings(members, List.of(first, second), Clusters.RACK))
        .containsExactly("gang g is spread beyond one rack");
    assertThat(verifier.gangFindings(members, List.of(first, second), NetworkScope.CLUSTER))
        .isEmpty();
  }

  private static List<String> findings(NodeSpec node, Placement... placements) {
    return new PlacementVerifier(List.of(node)).findings(List.of(placements));
  }

  private static Placement half(String name) {
    return share(name, 500, 500);
  }

  private static Placement share(String name, int computeMilli, int memoryMib) {
    return new Placement(
        new GpuRequest(name, RequestShape.of(1, new GpuDemand.Share(computeMilli, memoryMib))),
        "n",
        List.of(new GpuShare(0, "c0", computeMilli, memoryMib, Optional.empty())));
  }

  private static Placement mig(String name, String profile, int start, int size) {
    return new Placement(
        new GpuRequest(name, RequestShape.of(1, new GpuDemand.MigInstance(profile))),
        "n",
        List.of(new GpuShare(0, "c0", 1, 1, Optional.of(new MigSlot(profile, start, size)))));
  }

  private static Placement linked(int first, int second) {
    var shape =
        RequestShape.of(2, GpuDemand.WholeGpu.ANY)
            .withLinks(LinkRequirement.required(LinkScope.NVLINK));
    return new Placement(
        new GpuRequest("l", shape),
        "n",
        List.of(
            new GpuShare(first, "c" + first, 1000, 1000, Optional.empty()),
            new GpuShare(second, "c" + second, 1000, 1000, Optional.empty())));
  }
}
