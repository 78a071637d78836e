package io.prescale.placement.cluster;

import static io.prescale.placement.cluster.Clusters.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.mig.MigCards;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GpuNodeTest {
  private static final GpuRequest HALF =
      new GpuRequest(
          "half",
          RequestShape.of(1, new GpuDemand.Fraction(500))
              .withHost(new HostDemand(4_000, 16 * GIB, "")));

  private static Placement on(GpuNode node, GpuRequest request, int card) {
    var share = node.share(card, request.shape().demand()).orElseThrow();
    return new Placement(request, node.name(), List.of(share));
  }

  @Test
  void subtractsWhatIsPlacedAndGivesItBack() {
    var empty = GpuNode.of(Clusters.shared("a", 2));
    var node = empty.with(on(empty, HALF, 1));

    assertThat(node.freeComputeMilli(1)).isEqualTo(500);
    assertThat(node.freeGpuMemoryMib(1)).isEqualTo(40 * GIB);
    assertThat(node.freeMilli(1)).isEqualTo(500);
    assertThat(node.freeCpuMilli()).isEqualTo(60_000);
    assertThat(node.freeMemoryMib()).isEqualTo(496 * GIB);
    assertThat(node.idleCards().cards()).containsExactly(0);
    assertThat(node.without("half").freeComputeMilli(1)).isEqualTo(1000);
    assertThat(empty.freeComputeMilli(1)).isEqualTo(1000);
  }

  @Test
  void countsTheScarcerOfComputeAndMemory() {
    var empty = GpuNode.of(Clusters.shared("a", 1));
    var muchMemory = new GpuRequest("m", RequestShape.of(1, new GpuDemand.Share(100, 60 * GIB)));

    var node = empty.with(on(empty, muchMemory, 0));

    assertThat(node.freeMilli(0)).isEqualTo(250);
    assertThat(node.freeMilliAfter(0, new GpuDemand.Share(200, GIB))).isEqualTo(237);
  }

  @Test
  void threeTenthsAreOneTenthAndTwoTenths() {
    var node = GpuNode.of(Clusters.shared("a", 1));
    node = node.with(on(node, Clusters.fraction("one", 100), 0));
    node = node.with(on(node, Clusters.fraction("two", 200), 0));

    assertThat(node.freeComputeMilli(0)).isEqualTo(700);
    assertThat(node.freeGpuMemoryMib(0)).isEqualTo(56 * GIB);
  }

  @Test
  void holdsMoreThanItHasWhenThatIsAFact() {
    var empty = GpuNode.of(Clusters.shared("a", 1));
    var node = empty.with(on(empty, HALF, 0));
    node = node.with(on(empty, Clusters.fraction("rest", 600), 0));

    assertThat(node.freeComputeMilli(0)).isEqualTo(-100);
    assertThat(node.freeMilli(0)).isZero();
  }

  @Test
  void givesEachMigInstanceItsOwnPlace() {
    var card = Gpu.whole("u", "nvidia", "A100", 80 * GIB).withMig(MigCards.A100_80GB);
    var node = GpuNode.of(new NodeSpec("a", 0, 0, List.of(card)));
    for (int i = 0; i < 2; i++) {
      var request =
          new GpuRequest("m" + i, RequestShape.of(1, new GpuDemand.MigInstance("3g.40gb")));
      node = node.with(on(node, request, 0));
    }

    assertThat(node.migSlices(0)).isEqualTo(0xFF);
    assertThat(node.migInstances(0, "3g.40gb")).isEqualTo(2);
    assertThat(node.share(0, new GpuDemand.MigInstance("1g.10gb"))).isEmpty();
    assertThat(node.share(0, new GpuDemand.MigInstance("9g.1gb"))).isEmpty();
  }

  @Test
  void takesAMigInstanceOnTopOfAnotherAsAFactUntilBothHaveGone() {
    var card = Gpu.whole("u", "nvidia", "A100", 80 * GIB).withMig(MigCards.A100_80GB);
    var empty = GpuNode.of(new NodeSpec("a", 0, 0, List.of(card)));
    var shape = RequestShape.of(1, new GpuDemand.MigInstance("1g.10gb"));
    var slot = Optional.of(new MigSlot("1g.10gb", 2, 1));
    var share = List.of(new GpuShare(0, "u", 142, 10 * GIB, slot));
    var node = empty.with(new Placement(new GpuRequest("first", shape), "a", share));

    var both = node.with(new Placement(new GpuRequest("second", shape), "a", share));

    assertThat(both.migSlices(0)).isEqualTo(0b100);
    assertThat(both.without("first").migSlices(0)).isEqualTo(0b100);
    assertThat(both.without("first").without("second").migSlices(0)).isZero();
  }

  @Test
  void givesAShareTheLeastInstanceThatHoldsItWhereTheSizeDecides() {
    var card =
        Gpu.whole("u", "nvidia", "A100", 80 * GIB)
            .withMig(MigCards.A100_80GB)
            .withPartitioning(Partitioning.MIG_BY_SIZE, 7);
    var node = GpuNode.of(new NodeSpec("a", 0, 0, List.of(card)));
    for (int i = 0; i < 2; i++) {
      var request = new GpuRequest("s" + i, RequestShape.of(1, new GpuDemand.Share(0, 21 * GIB)));
      node = node.with(on(node, request, 0));
    }

    var slots = node.placements().stream().map(p -> p.shares().getFirst().mig().orElseThrow());
    assertThat(slots).containsExactly(new MigSlot("3g.40gb", 4, 4), new MigSlot("3g.40gb", 0, 4));
    assertThat(node.share(0, new GpuDemand.Share(0, GIB))).isEmpty();
  }

  @Test
  void givesARequestSeveralInstancesOfACardButNoInstanceTwice() {
    var first = new GpuShare(0, "u", 142, 10 * GIB, Optional.of(new MigSlot("1g.10gb", 0, 1)));
    var second = new GpuShare(0, "u", 142, 10 * GIB, Optional.of(new MigSlot("1g.10gb", 2, 1)));
    var request = new GpuRequest("two", RequestShape.of(2, new GpuDemand.MigInstance("1g.10gb")));
    var card = Gpu.whole("u", "nvidia", "A100", 80 * GIB).withMig(MigCards.A100_80GB);
    var empty = GpuNode.of(new NodeSpec("a", 0, 0, List.of(card)));

    var node = empty.with(new Placement(request, "a", List.of(first, second)));

    assertThat(node.migSlices(0)).isEqualTo(0b101);
    assertThat(node.sharers(0)).isEqualTo(2);
    assertThatThrownBy(() -> new Placement(request, "a", List.of(first, first)))
        .hasMessage("two is given one card twice");
  }

  @Test
  void refusesAPlacementOfAnotherNodeOrOfAnUnknownCardOrTwice() {
    var a = GpuNode.of(Clusters.shared("a", 2));
    var b = GpuNode.of(Clusters.shared("b", 2));
    var placement = on(a, HALF, 0);
    var stranger =
        new Placement(HALF, "a", List.of(new GpuShare(0, "other", 500, 1, Optional.empty())));

    assertThatThrownBy(() -> b.with(placement)).hasMessage("half is placed on node a, not on b");
    assertThatThrownBy(() -> a.with(stranger))
        .hasMessage("half is placed on card 0 (other), which node a does not have");
    assertThatThrownBy(() -> a.with(placement).with(placement))
        .hasMessage("half is placed on node a already");
    assertThatThrownBy(() -> a.without("half")).hasMessage("half is not placed on node a");
  }
}
