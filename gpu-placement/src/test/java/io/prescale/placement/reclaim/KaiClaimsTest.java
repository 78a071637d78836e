package io.prescale.placement.reclaim;

import static io.prescale.placement.reclaim.ReclaimCases.claim;
import static io.prescale.placement.reclaim.ReclaimCases.reclaimed;
import static io.prescale.placement.reclaim.ReclaimCases.trainOwes;
import static io.prescale.placement.reclaim.ReclaimCases.whole;
import static io.prescale.placement.vacancy.TestCluster.gang;
import static io.prescale.placement.vacancy.TestCluster.over;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import io.prescale.placement.vacancy.TestCluster;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claims that were measured with KAI-Scheduler 0.17 on its real control plane. */
class KaiClaimsTest {
  /**
   * KAI-Scheduler 0.17 evicts 64 pods of 8 gangs here: of 20 gangs of eight single cards, twelve
   * lie on a node each and eight are spread over eight nodes.
   */
  @Test
  void evictsOneGangWhereKaiEvictsEight() {
    TestCluster cluster = TestCluster.of(20, 8);
    for (int gang = 0; gang < 20; gang++) {
      for (int pod = 0; pod < 8; pod++) {
        int node = gang < 8 ? pod : gang;
        int card = gang < 8 ? gang : pod;
        cluster.pod("g%d-%d".formatted(gang, pod), gang("train", "g" + gang), node, card);
      }
    }

    Reclaimed reclaimed = reclaimed(cluster, claim(whole(8), trainOwes(160, 8)));

    assertThat(reclaimed.cost()).isEqualTo(new EvictionCost(8, 1, 0, 0, 8000));
    assertThat(reclaimed.isProvenLeast()).isTrue();
    assertThat(reclaimed.victims())
        .extracting(Placement::node)
        .containsOnly(reclaimed.placements().getFirst().node());
  }

  /** KAI-Scheduler 0.17 evicts 53 pods here: 8,000 cards, 1,000 elastic jobs of eight. */
  @Test
  void evictsEightPodsOfElasticJobsWhereKaiEvictsFiftyThree() {
    TestCluster cluster = ReclaimCases.thousandElasticJobs();
    ReclaimRequest claim =
        claim(whole(8), Optional.of(trainOwes(8000, 8)), ReclaimCases.ELASTIC_MINIMUM);

    Reclaimed reclaimed = reclaimed(cluster, claim);

    assertThat(reclaimed.cost()).isEqualTo(new EvictionCost(8, 0, 0, 0, 8000));
    assertThat(reclaimed.isProvenLeast()).isTrue();
  }

  /** As KAI-Scheduler 0.17: 1, 8 and 80 pods for claims of 1, of 8, and ten of 8. */
  @Test
  void evictsAsManySingleCardsAsAreClaimed() {
    TestCluster cluster = TestCluster.of(100, 8);
    for (int pod = 0; pod < 800; pod++) {
      cluster.pod("p" + pod, over("train"), pod / 8, pod % 8);
    }
    Standing standing = new Standing("owner", 10, false, Optional.of("claim"));
    ReclaimRequest ten =
        new ReclaimRequest(
            IntStream.range(0, 10)
                .mapToObj(i -> new GpuRequest("claim-" + i, whole(8), standing))
                .toList(),
            Optional.empty(),
            Map.of());

    assertThat(reclaimed(cluster, claim(whole(1))).victims()).hasSize(1);
    assertThat(reclaimed(cluster, claim(whole(8))).victims()).hasSize(8);
    assertThat(reclaimed(cluster, ten).victims()).hasSize(80);
  }
}
