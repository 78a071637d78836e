package io.prescale.placement.cluster;

import static io.prescale.placement.cluster.Clusters.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.mig.MigCards;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuTest {
  private static final Gpu CARD = card(80 * GIB);

  private static Gpu card(int memoryMib) {
    return Gpu.whole("u", "nvidia", "A100", memoryMib);
  }

  @Test
  void eachPartitioningServesItsOwnDemands() {
    var quarter = new GpuDemand.Fraction(250);
    var share = new GpuDemand.Share(250, 20 * GIB);
    var mig = new GpuDemand.MigInstance("1g.10gb");
    for (var partitioning : Partitioning.values()) {
      var card =
          partitioning.isMig()
              ? CARD.withMig(MigCards.A100_80GB).withPartitioning(partitioning, 4)
              : CARD.withPartitioning(partitioning, 4);
      boolean shares = partitioning != Partitioning.WHOLE && partitioning != Partitioning.MIG;
      assertThat(card.canServe(quarter)).as("%s", partitioning).isEqualTo(shares);
      assertThat(card.canServe(share)).as("%s", partitioning).isEqualTo(shares);
      assertThat(card.canServe(mig)).as("%s", partitioning).isEqualTo(partitioning.isMig());
      assertThat(card.canServe(GpuDemand.WholeGpu.ANY))
          .as("%s", partitioning)
          .isEqualTo(!partitioning.isMig());
    }
  }

  @Test
  void aSlotOfMpsIsAsLargeAsAnyOther() {
    var card = CARD.withPartitioning(Partitioning.MPS, 4);

    assertThat(card.memoryMibFor(new GpuDemand.Share(100, GIB))).isEqualTo(20 * GIB);
    assertThat(card.computeMilliFor(new GpuDemand.Fraction(10))).isEqualTo(250);
    assertThat(card.canServe(new GpuDemand.Fraction(251))).isFalse();
    assertThat(card.canServe(new GpuDemand.Share(0, 20 * GIB + 1))).isFalse();
  }

  @Test
  void measuresAShareByTheLeastInstanceThatHoldsItsMemoryAndCompute() {
    var card = CARD.withMig(MigCards.A100_80GB).withPartitioning(Partitioning.MIG_BY_SIZE, 7);

    assertThat(profileFor(card, new GpuDemand.Share(0, 8 * GIB))).isEqualTo("1g.10gb");
    assertThat(profileFor(card, new GpuDemand.Share(0, 10 * GIB + 1))).isEqualTo("1g.20gb");
    assertThat(profileFor(card, new GpuDemand.Share(200, 8 * GIB))).isEqualTo("2g.20gb");
    assertThat(profileFor(card, new GpuDemand.Share(500, 8 * GIB))).isEqualTo("4g.40gb");
    assertThat(profileFor(card, new GpuDemand.Fraction(250))).isEqualTo("2g.20gb");
    assertThat(card.memoryMibFor(new GpuDemand.Share(0, 8 * GIB))).isEqualTo(10 * GIB);
    assertThat(card.computeMilliFor(new GpuDemand.Share(0, 8 * GIB))).isEqualTo(142);
    assertThat(card.canServe(new GpuDemand.Share(0, 80 * GIB + 1))).isFalse();
    assertThat(CARD.withMig(MigCards.A100_80GB).migProfileFor(new GpuDemand.Share(0, 1))).isEmpty();
  }

  private static String profileFor(Gpu card, GpuDemand demand) {
    return card.migProfileFor(demand).orElseThrow().name();
  }

  @Test
  void roundsMemoryOfFractionsDownSoThatHalvesFit() {
    var odd = card(15_109).withPartitioning(Partitioning.HAMI_CORE, 2);

    assertThat(odd.memoryMibFor(new GpuDemand.Fraction(500))).isEqualTo(7_554);
    assertThat(odd.milliFor(new GpuDemand.Share(100, 7_555))).isEqualTo(501);
    assertThat(card(0).milliFor(new GpuDemand.Fraction(300))).isEqualTo(300);
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> Gpu.whole(" ", "nvidia", "A100", 1))
        .hasMessage("the UUID of a GPU is blank");
    assertThatThrownBy(() -> card(-1))
        .hasMessage(
            "GPU u has -1 MiB, 1000 milli of compute and 1 slots; give at least 0, 1 and 1");
    assertThatThrownBy(() -> CARD.withPartitioning(Partitioning.MPS, 0))
        .hasMessageContaining("0 slots");
    assertThatThrownBy(() -> GpuHealth.UNKNOWN.withErrors(-1, 0, List.of()))
        .hasMessage("correctedEcc is -1, below 0");
    assertThatThrownBy(() -> new NodeSpec("a", 0, 0, List.of(CARD, CARD)))
        .hasMessage("node a has two GPUs of one UUID");
    assertThatThrownBy(() -> new NodeSpec("a", 0, 0, Clusters.cards("a", 17, "T4", 1)))
        .hasMessage("node a has 17 GPUs; at most 16 are supported");
  }
}
