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
    var card =
        new Gpu(
            "mig",
            "nvidia",
            "A30",
            24_576,
            1000,
            Partitioning.MIG_BY_SIZE,
            1,
            MigCards.A30,
            GpuHealth.UNKNOWN);
    var node = GpuNode.of(new NodeSpec("n", 0, 0, List.of(card)));
    var share = RequestShape.of(1, new GpuDemand.Share(0, 4000));
    var low = new GpuRequest("low", share, Standing.preemptible(0));
    var cluster =
        ClusterSnapshot.ofNodes(
            List.of(node.with(Placement.on(node, low, new CardSet(1)).orElseThrow())));

    assertThat(reclaimer.decide(cluster, claim(share)))
        .isInstanceOfSatisfying(
            Reclaimed.class,
            it ->
                assertThat(it.victims())
                    .extracting(each -> each.request().name())
                    .containsExactly("low"));
  }
}
