package io.prescale.placement.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.PlacementResult.Refused;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.preference.Policy;
import io.prescale.placement.topology.KnownMachines;
import io.prescale.placement.topology.LinkMatrix;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Eight cards with NVLink between all, four on each of two NUMA nodes: those of even numbers on 0.
 */
class NumaNodesTest {
  private static final NodeSpec HGX =
      Clusters.whole("hgx", 8)
          .withLinks(KnownMachines.hgxH100())
          .withNuma(alternating(Optional.of(KnownMachines.hgxH100())));

  private final Placer placer = placer();

  private static LinkMatrix alternating(Optional<LinkMatrix> links) {
    return LinkMatrix.ofNumaNodes(
        IntStream.range(0, 8).mapToObj(card -> OptionalInt.of(card % 2)).toList(), links);
  }

  private static Placer placer() {
    var workload = TargetWorkload.mostFrequent(Stream.of(whole(1), whole(2)));
    var linkedCards = new LinkedCards();
    return new Placer(Policy.prescale(new Fragmentation(workload), linkedCards), linkedCards);
  }

  private static RequestShape whole(int cards) {
    return RequestShape.of(cards, GpuDemand.WholeGpu.ANY);
  }

  private PlacementResult place(ClusterSnapshot cluster, int cards, LinkRequirement links) {
    return placer.place(cluster, new GpuRequest("next", whole(cards).withLinks(links)));
  }

  private List<Integer> cards(ClusterSnapshot cluster, int cards, LinkRequirement links) {
    var placed = (Placed) place(cluster, cards, links);
    return placed.placement().shares().stream().map(GpuShare::card).toList();
  }

  @Test
  void cardsOfOneNodeAreTakenWhateverTheirLinks() {
    var bound = LinkRequirement.required(LinkScope.NUMA_NODE);
    var cluster = ClusterSnapshot.of(List.of(HGX));
    cluster = Clusters.put(cluster, new GpuRequest("a", whole(1)), "hgx", 0);

    assertThat(cards(cluster, 4, bound)).containsExactly(1, 3, 5, 7);
    assertThat(((Refused) place(cluster, 5, bound)).summary())
        .isEqualTo("needs 5 GPUs on one NUMA node: 1 node lacks the link");
    assertThat(cards(cluster, 5, LinkRequirement.required(LinkScope.NVLINK))).hasSize(5);
  }

  @Test
  void theyArePreferredWhereTheyAreNotRequired() {
    var preferred = LinkRequirement.preferred(LinkScope.NUMA_NODE);
    var cluster = ClusterSnapshot.of(List.of(HGX));
    cluster = Clusters.put(cluster, new GpuRequest("a", whole(1)), "hgx", 0);

    assertThat(cards(cluster, 4, preferred)).containsExactly(1, 3, 5, 7);
    assertThat(cards(cluster, 5, preferred)).hasSize(5);
  }

  /** Cards 0, 4 and 6 of a DGX-1 have one NVLink or two, and 0 and 2 one. */
  @Test
  void ofOneNodeTheBestLinkedAreTaken() {
    var links = KnownMachines.dgx1V100();
    var dgx = Clusters.whole("dgx", 8).withLinks(links).withNuma(alternating(Optional.of(links)));

    var pair =
        cards(ClusterSnapshot.of(List.of(dgx)), 2, LinkRequirement.required(LinkScope.NUMA_NODE));

    assertThat(pair.get(0) % 2).isEqualTo(pair.get(1) % 2);
    assertThat(links.score(pair.get(0), pair.get(1))).isGreaterThanOrEqualTo(200);
  }

  @Test
  void whereNumaNodesAreUnknownLinksSayWhatIsNear() {
    var bound = LinkRequirement.required(LinkScope.NUMA_NODE);
    var linked = Clusters.whole("linked", 8).withLinks(KnownMachines.pcieOnly());

    assertThat(cards(ClusterSnapshot.of(List.of(linked)), 4, bound)).hasSize(4);
    assertThat(place(ClusterSnapshot.of(List.of(linked)), 5, bound)).isInstanceOf(Refused.class);
    assertThat(place(ClusterSnapshot.of(List.of(Clusters.whole("plain", 8))), 2, bound))
        .isInstanceOf(Refused.class);
  }
}
