package io.prescale.placement.reclaim;

import static io.prescale.placement.reclaim.ReclaimCases.OWNER;
import static io.prescale.placement.reclaim.ReclaimCases.claim;
import static io.prescale.placement.reclaim.ReclaimCases.reclaimed;
import static io.prescale.placement.reclaim.ReclaimCases.trainOwes;
import static io.prescale.placement.reclaim.ReclaimCases.whole;
import static io.prescale.placement.vacancy.TestCluster.firm;
import static io.prescale.placement.vacancy.TestCluster.gang;
import static io.prescale.placement.vacancy.TestCluster.over;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.queue.FairShares;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.QueueLedger;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import io.prescale.placement.reclaim.ReclaimResult.NotReclaimable;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import io.prescale.placement.topology.KnownMachines;
import io.prescale.placement.vacancy.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReclaimerTest {
  private final Reclaimer reclaimer = new Reclaimer(new LinkedCards());

  private static List<String> names(List<Placement> placements) {
    return placements.stream().map(placement -> placement.request().name()).sorted().toList();
  }

  @Test
  void evictsNobodyWhenThereIsRoom() {
    TestCluster cluster = TestCluster.of(2, 4).pod("a", over("train"), 0, 0, 1, 2);

    Reclaimed reclaimed = reclaimed(cluster, claim(whole(4)));

    assertThat(reclaimed.victims()).isEmpty();
    assertThat(reclaimed.placements().getFirst().node()).isEqualTo("n1");
    assertThat(reclaimed.cost()).isEqualTo(new EvictionCost(0, 0, Integer.MIN_VALUE, 0, 0));
  }

  @Test
  void freesCardsThatAreLinkedNotMerelyEnough() {
    TestCluster cluster = TestCluster.of(1, KnownMachines.dgx1V100());
    for (int card : new int[] {1, 2, 3, 4, 6, 7}) {
      Standing standing = card == 4 ? over("train") : firm("train");
      cluster.pod("p" + card, standing, 0, card);
    }
    RequestShape linked = whole(2).withLinks(LinkRequirement.required(LinkScope.NVLINK));

    Reclaimed reclaimed = reclaimed(cluster, claim(linked));

    assertThat(names(reclaimed.victims())).containsExactly("p4");
    assertThat(reclaimed.placements().getFirst().shares())
        .extracting(GpuShare::card)
        .containsExactly(0, 4);
  }

  @Test
  void evictsOnePodThatHoldsTwoCardsBeforeTwoThatHoldOne() {
    TestCluster cluster =
        TestCluster.of(1, 4)
            .pod("one", over("train"), 0, 0)
            .pod("two", over("train"), 0, 1)
            .pod("pair", over("train"), 0, 2, 3);

    assertThat(names(reclaimed(cluster, claim(whole(2))).victims())).containsExactly("pair");
  }

  @Test
  void leavesAGangItsMinimumOrNothing() {
    TestCluster cluster =
        TestCluster.of(2, 2)
            .pod("a0", gang("train", "a"), 0, 0)
            .pod("a1", gang("train", "a"), 0, 1)
            .pod("a2", gang("train", "a"), 1, 0)
            .pod("b", firm("train"), 1, 1);

    Reclaimed elastic = reclaimed(cluster, claim(whole(1), Map.of("a", 2)));
    Reclaimed rigid = reclaimed(cluster, claim(whole(1)));

    assertThat(elastic.victims()).hasSize(1);
    assertThat(names(rigid.victims())).containsExactly("a0", "a1", "a2");
    assertThat(rigid.cost().endedGangs()).isEqualTo(1);
  }

  @Test
  void doesNotEndAGangOfWhichAPodIsGuaranteed() {
    TestCluster cluster =
        TestCluster.of(1, 2)
            .pod("a0", gang("train", "a"), 0, 0)
            .pod("a1", new Standing("train", 0, false, Optional.of("a")), 0, 1);

    assertThat(reclaimer.decide(cluster.snapshot(), claim(whole(1))))
        .isInstanceOfSatisfying(
            NotReclaimable.class,
            refused ->
                assertThat(refused.reason())
                    .isEqualTo("needs 1 GPU: gangs or quotas protect the work on 1"));
  }

  @Test
  void neverTouchesGuaranteedWork() {
    TestCluster cluster =
        TestCluster.of(2, 2)
            .pod("f0", firm("train"), 0, 0)
            .pod("o0", over("train"), 0, 1)
            .pod("f1", firm("train"), 1, 0, 1);

    assertThat(reclaimer.decide(cluster.snapshot(), claim(whole(2))))
        .isInstanceOfSatisfying(
            NotReclaimable.class,
            refused ->
                assertThat(refused.reason())
                    .isEqualTo(
                        "needs 2 GPUs: without the work that may be evicted, of the nodes 2 lack"
                            + " idle GPUs"));
    assertThat(names(reclaimed(cluster, claim(whole(1))).victims())).containsExactly("o0");
  }

  @Test
  void takesNoMoreFromAQueueThanItOwes() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("owner", Quota.train(4000, 1)),
                Queue.leaf("x", Quota.train(3000, 1)),
                Queue.leaf("y", Quota.train(1000, 1))));
    Map<String, Long> used = Map.of("x", 4000L, "y", 4000L);
    FairShares shares = FairShares.of(tree, 8000, Map.of("x", 4000L, "y", 4000L, "owner", 4000L));
    QueueLedger ledger = QueueLedger.of(shares, used, Map.of());
    TestCluster cluster = TestCluster.of(2, 4);
    for (int i = 0; i < 4; i++) {
      cluster.pod("x" + i, over("x"), 0, i).pod("y" + i, over("y"), 1, i);
    }

    Reclaimed three = reclaimed(cluster, claim(whole(3), ledger.reclaimFor("owner", 3000)));

    assertThat(names(three.victims())).allMatch(name -> name.startsWith("y")).hasSize(3);
    assertThat(
            reclaimer.decide(cluster.snapshot(), claim(whole(4), ledger.reclaimFor("owner", 4000))))
        .isInstanceOf(NotReclaimable.class);
  }

  @Test
  void withinAQueueOnlyLowerPriorityGives() {
    TestCluster cluster =
        TestCluster.of(1, 2)
            .pod("low", new Standing("owner", 5, true, Optional.empty()), 0, 0)
            .pod("equal", new Standing("owner", 10, true, Optional.empty()), 0, 1);

    assertThat(names(reclaimed(cluster, claim(whole(1), trainOwes(2, 1))).victims()))
        .containsExactly("low");
    assertThat(reclaimer.decide(cluster.snapshot(), claim(whole(2))))
        .isInstanceOf(NotReclaimable.class);
  }

  @Test
  void evictsSharersOfOneCardUntilTheShareFits() {
    TestCluster cluster =
        TestCluster.of(1, 2)
            .fraction("a", over("train"), 300, 0, 0)
            .fraction("b", over("train"), 300, 0, 0)
            .fraction("c", over("train"), 300, 0, 0)
            .fraction("d", over("train"), 600, 0, 1)
            .fraction("e", firm("train"), 400, 0, 1);

    Reclaimed half = reclaimed(cluster, claim(RequestShape.of(1, new GpuDemand.Fraction(500))));

    assertThat(names(half.victims())).containsExactly("d");
    assertThat(half.placements().getFirst().shares().getFirst().card()).isEqualTo(1);
  }

  @Test
  void evictsForCpuAndMemoryToo() {
    HostDemand big = new HostDemand(100_000, 0, "");
    TestCluster cluster =
        TestCluster.of(1, 4)
            .put("cpu", over("train"), whole(1).withHost(big), 0, 0)
            .pod("gpu", over("train"), 0, 1, 2);

    Reclaimed reclaimed = reclaimed(cluster, claim(whole(1).withHost(big)));

    assertThat(names(reclaimed.victims())).containsExactly("cpu");
  }

  /** Ten of eighty small pods have to go; there are too many such tens to look at them all. */
  @Test
  void findsAWayAmongVeryManySmallPods() {
    TestCluster cluster = TestCluster.of(1, 8);
    RequestShape small =
        RequestShape.of(1, new GpuDemand.Fraction(100)).withHost(new HostDemand(1_600, 0, ""));
    for (int pod = 0; pod < 70; pod++) {
      cluster.put("p" + pod, over("train"), small, 0, pod / 10);
    }
    RequestShape big = whole(1).withHost(new HostDemand(32_000, 0, ""));

    Reclaimed reclaimed = reclaimed(cluster, claim(big));

    assertThat(reclaimed.victims()).hasSize(10);
    assertThat(reclaimed.isProvenLeast()).isFalse();
  }

  /** Of equally many and equally wide ones; what is not declared costs nothing here. */
  @Test
  void evictsThePodWhosePauseCostsLeast() {
    TestCluster cluster =
        TestCluster.of(3, 1)
            .pod("long", over("train"), 0, 0)
            .pod("short", over("train"), 1, 0)
            .pod("longer", over("train"), 2, 0);
    var costs =
        Map.of(
            "long", Duration.ofHours(2),
            "short", Duration.ofMinutes(5),
            "longer", Duration.ofHours(24));
    var reclaimed = reclaimed(cluster, withPauseCosts(costs));

    assertThat(names(reclaimed.victims())).containsExactly("short");
    assertThat(reclaimed.cost().pauses()).isEqualTo(1000 * 300);
    assertThatThrownBy(() -> withPauseCosts(Map.of("long", Duration.ofMinutes(-1))))
        .hasMessage("the pause of long costs PT-1M; give 0 or more");
  }

  private static ReclaimRequest withPauseCosts(Map<String, Duration> costs) {
    var it = claim(whole(1));
    return new ReclaimRequest(it.requests(), it.budget(), it.gangMinimum(), costs, Set.of());
  }

  @Test
  void placesAllOfAGangOrNobody() {
    TestCluster cluster = TestCluster.of(3, 2);
    for (int node = 0; node < 3; node++) {
      Standing standing = node == 2 ? firm("train") : over("train");
      cluster.pod("p%d-0".formatted(node), standing, node, 0);
      cluster.pod("p%d-1".formatted(node), standing, node, 1);
    }

    assertThat(reclaimed(cluster, gangOf(2)).victims()).hasSize(4);
    assertThat(reclaimer.decide(cluster.snapshot(), gangOf(3))).isInstanceOf(NotReclaimable.class);
  }

  private static ReclaimRequest gangOf(int pods) {
    Standing standing = new Standing("owner", 10, false, Optional.of("claim"));
    return new ReclaimRequest(
        IntStream.range(0, pods)
            .mapToObj(i -> new GpuRequest("claim-" + i, whole(2), standing))
            .toList(),
        Optional.empty(),
        Map.of());
  }

  @Test
  void refusesClaimsThatMakeNoSense() {
    assertThatThrownBy(() -> new ReclaimRequest(List.of(), Optional.empty(), Map.of()))
        .hasMessage("nothing is to be reclaimed; give one request or more");
    assertThatThrownBy(
            () ->
                new ReclaimRequest(
                    List.of(
                        new GpuRequest("a", whole(1), OWNER),
                        new GpuRequest("b", whole(1), over("x"))),
                    Optional.empty(),
                    Map.of()))
        .hasMessageContaining("differ in queue, priority or gang");
    assertThatThrownBy(() -> claim(whole(1), Map.of("g", -1)))
        .hasMessage("gang g needs -1 pods; give 0 or more");
    TestCluster cluster = TestCluster.of(1, 1).pod("a", over("unknown"), 0, 0);
    assertThatThrownBy(() -> reclaimed(cluster, claim(whole(1), trainOwes(8, 1))))
        .hasMessageContaining("there is no queue unknown");
    assertThat(reclaimer.decide(TestCluster.of(0, 1).snapshot(), claim(whole(1))))
        .isInstanceOfSatisfying(
            NotReclaimable.class,
            refused -> assertThat(refused.reason()).isEqualTo("needs 1 GPU: there are no nodes"));
  }
}
