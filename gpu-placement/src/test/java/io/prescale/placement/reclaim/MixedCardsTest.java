package io.prescale.placement.reclaim;

import static io.prescale.placement.reclaim.ReclaimCases.OWNER;
import static io.prescale.placement.reclaim.ReclaimCases.claim;
import static io.prescale.placement.reclaim.ReclaimCases.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.mig.MigCards;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import io.prescale.placement.topology.CardSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Room on cards that are divided differently, or for requests of different shapes. */
class MixedCardsTest {
  private final Reclaimer reclaimer = new Reclaimer(new LinkedCards());

  /**
   * Whole cards are taken by their links, here one that a worker needs, so more may do with less.
   */
  @Test
  void claimsNoProofForAGangOfDifferentShapes() {
    var shared = Partitioning.HAMI_CORE;
    var cards =
        List.of(
            Gpu.whole("held", "nvidia", "A100", 40_960).withPartitioning(shared, 3),
            Gpu.whole("idle", "nvidia", "A100", 40_960).withPartitioning(shared, 3),
            Gpu.whole("whole", "nvidia", "A100", 40_960));
    var node = GpuNode.of(new NodeSpec("n", 0, 0, cards));
    var victim = new GpuRequest("victim", whole(1), Standing.preemptible(0));
    var cluster =
        ClusterSnapshot.ofNodes(
            List.of(node.with(Placement.on(node, victim, new CardSet(1)).orElseThrow())));
    var half = RequestShape.of(1, new GpuDemand.Fraction(500));

    var reclaimed =
        (Reclaimed)
            reclaimer.decide(
                cluster,
                new ReclaimRequest(
                    List.of(
                        new GpuRequest("leader", whole(1), OWNER),
                        new GpuRequest("worker", half, OWNER)),
                    Optional.empty(),
                    Map.of()));

    assertThat(reclaimed.victims()).hasSize(1);
    assertThat(reclaimed.isProvenLeast()).isFalse();
  }

  @Test
  void freesASlotOfACardInMigMode() {
    assertThat(victims(mig(1), share(1, 4000), share(1, 4000))).containsExactly("p0");
  }

  /** As where they are placed: several instances are on one card where there are no others. */
  @Test
  void freesTwoInstancesOfOneCardInMigMode() {
    assertThat(victims(mig(4), share(2, 4000), share(1, 24_000))).containsExactly("p0");
    assertThat(victims(mig(4), share(2, 4000), share(1, 12_000), share(1, 6000)))
        .containsExactly("p1");
  }

  private static RequestShape share(int instances, int mib) {
    return RequestShape.of(instances, new GpuDemand.Share(0, mib));
  }

  private static Gpu mig(int slots) {
    return new Gpu(
        "mig",
        "nvidia",
        "A30",
        24_576,
        1000,
        Partitioning.MIG_BY_SIZE,
        slots,
        MigCards.A30,
        GpuHealth.UNKNOWN);
  }

  /** The pods p0, p1, … that leave a card for a claim. */
  private List<String> victims(Gpu card, RequestShape claimed, RequestShape... running) {
    var node = GpuNode.of(new NodeSpec("n", 0, 0, List.of(card)));
    for (int i = 0; i < running.length; i++) {
      var pod = new GpuRequest("p" + i, running[i], Standing.preemptible(0));
      node = node.with(Placement.on(node, pod, new CardSet(1)).orElseThrow());
    }
    var found = reclaimer.decide(ClusterSnapshot.ofNodes(List.of(node)), claim(claimed));
    return found instanceof Reclaimed reclaimed
        ? reclaimed.victims().stream().map(it -> it.request().name()).toList()
        : List.of();
  }
}
