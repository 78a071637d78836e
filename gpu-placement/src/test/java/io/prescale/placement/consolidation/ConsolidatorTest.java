package io.prescale.placement.consolidation;

import static io.prescale.placement.vacancy.TestCluster.firm;
import static io.prescale.placement.vacancy.TestCluster.gang;
import static io.prescale.placement.vacancy.TestCluster.over;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.consolidation.Move.Reason;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.filter.Verdict;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.topology.KnownMachines;
import io.prescale.placement.vacancy.TestCluster;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConsolidatorTest {
  private static final MoveRules RULES = MoveRules.atMost(10);

  private final Consolidator consolidator = new Consolidator(new LinkedCards());

  private static GpuRequest wanted(int gpus) {
    return new GpuRequest("wanted", RequestShape.of(gpus, GpuDemand.WholeGpu.ANY));
  }

  private static Fragmentation fragmentation() {
    return new Fragmentation(
        new TargetWorkload(
            List.of(
                new TaskClass(0, 4, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1),
                new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1))));
  }

  private static TestCluster halfFull() {
    return TestCluster.of(2, 4)
        .pod("a", over("x"), 0, 0)
        .pod("b", over("x"), 0, 2)
        .pod("c", over("x"), 1, 1)
        .pod("d", firm("x"), 1, 3);
  }

  @Test
  void freesANodeByTheFewestMoves() {
    MovePlan plan = consolidator.freeShape(halfFull().snapshot(), wanted(4), RULES);

    assertThat(plan.moves())
        .extracting(move -> move.from().request().name())
        .containsExactlyInAnyOrder("a", "b");
    assertThat(plan.moves()).extracting(Move::reason).containsOnly(Reason.MAKES_WAY);
    assertThat(plan.target().orElseThrow().node()).isEqualTo("n0");
    assertThat(plan.costMilli()).isEqualTo(2000);
    assertThat(plan.stuck()).isEmpty();
  }

  @Test
  void movesSharesThatNeedALinkToLinkedCardsThoughOthersAreFuller() {
    var linked =
        RequestShape.of(2, new GpuDemand.Fraction(500))
            .withLinks(LinkRequirement.required(LinkScope.PCIE_SWITCH));
    var cluster =
        TestCluster.of(2, KnownMachines.pcieOnly())
            .put("pair", over("x"), linked, 0, 0, 1)
            .fraction("a", firm("x"), 500, 1, 2)
            .fraction("b", firm("x"), 500, 1, 4)
            .sick(0, 0)
            .snapshot();

    var move =
        consolidator.evacuate(cluster.withNode(cordoned(cluster, 0)), RULES).moves().getFirst();

    assertThat(move.to().node()).isEqualTo("n1");
    var cards = move.to().shares().stream().map(GpuShare::card).toList();
    assertThat(cards.getFirst() / 2).isEqualTo(cards.getLast() / 2);
  }

  private static GpuNode cordoned(ClusterSnapshot cluster, int node) {
    var spec = cluster.node(node).spec();
    return cluster.node(node).withSpec(spec.withReadiness(NodeSpec.Readiness.CORDONED));
  }

  @Test
  void movesNothingWhenTheShapeFitsOrCannotBeFreed() {
    ClusterSnapshot cluster = halfFull().snapshot();

    MovePlan fits = consolidator.freeShape(cluster, wanted(2), RULES);
    MovePlan never = consolidator.freeShape(cluster, wanted(5), RULES);
    MovePlan tooFewMoves = consolidator.freeShape(cluster, wanted(4), MoveRules.atMost(1));

    assertThat(fits.moves()).isEmpty();
    assertThat(fits.target()).isPresent();
    assertThat(never.moves()).isEmpty();
    assertThat(never.target()).isEmpty();
    assertThat(tooFewMoves.moves()).isEmpty();
    assertThat(tooFewMoves.target()).isEmpty();
  }

  @Test
  void movesPodsOnlyToNodesWhereTheyMayBe() {
    var cluster = TestCluster.of(3, 4).pod("a", over("x"), 0, 0).pod("b", firm("x"), 1, 0);
    var rules = RULES.withNodes(Map.of("a", Set.of("n0", "n2"), "wanted", Set.of("n0", "n1")));

    var freed = consolidator.freeShape(cluster.snapshot(), wanted(4), rules);
    var left = consolidator.evacuate(cluster.sick(0, 0).snapshot(), rules);
    var nowhere =
        consolidator.evacuate(cluster.snapshot(), RULES.withNodes(Map.of("a", Set.of("n9"))));

    assertThat(freed.moves()).extracting(move -> move.to().node()).containsExactly("n2");
    assertThat(freed.target().orElseThrow().node()).isEqualTo("n0");
    assertThat(left.moves()).extracting(move -> move.to().node()).containsExactly("n0");
    assertThat(nowhere.moves()).isEmpty();
    assertThat(nowhere.stuck()).hasSize(1);
  }

  @Test
  void lowersFragmentationOnlyAmongNodesWherePodsMayBe() {
    var cluster = TestCluster.of(2, 4).pod("a", over("x"), 0, 0).pod("b", firm("x"), 1, 0);
    var free = consolidator.lowerFragmentation(cluster.snapshot(), fragmentation(), RULES);
    var bound =
        consolidator.lowerFragmentation(
            cluster.snapshot(),
            fragmentation(),
            RULES.withNodes(Map.of("a", Set.of("n0"), "b", Set.of("n1"))));

    assertThat(free.moves()).extracting(move -> move.to().node()).containsExactly("n1");
    assertThat(bound.moves()).isEmpty();
  }

  @Test
  void letsOthersMakeWayForAPodThatFitsNowhere() {
    TestCluster cluster =
        TestCluster.of(3, 4)
            .pod("pair", over("x"), 0, 0, 1)
            .pod("b", over("x"), 1, 0, 1)
            .pod("c", over("x"), 1, 2)
            .pod("d", firm("x"), 2, 0, 1)
            .pod("e", over("x"), 2, 2);

    MovePlan plan = consolidator.freeShape(cluster.snapshot(), wanted(4), RULES);

    assertThat(plan.moves()).hasSize(2);
    assertThat(plan.moves().getLast().from().request().name()).isEqualTo("pair");
    assertSafe(cluster.snapshot(), plan);
  }

  /** By its scarcer resource each card has a tenth free; together the pods need only one card. */
  @Test
  void bringsMuchComputeAndMuchMemoryTogether() {
    RequestShape compute = RequestShape.of(1, new GpuDemand.Share(800, 8192));
    RequestShape memory = RequestShape.of(1, new GpuDemand.Share(100, 65536));
    TestCluster cluster =
        TestCluster.of(2, 1)
            .put("compute", over("x"), compute, 0, 0)
            .put("memory", over("x"), memory, 1, 0);

    MovePlan plan = consolidator.freeShape(cluster.snapshot(), wanted(1), RULES);

    assertThat(plan.moves()).hasSize(1);
    assertThat(plan.target()).isPresent();
  }

  @Test
  void movesNoGuaranteedWork() {
    TestCluster cluster =
        TestCluster.of(2, 2).pod("firm", firm("x"), 0, 0).pod("other", firm("x"), 1, 0);

    assertThat(consolidator.freeShape(cluster.snapshot(), wanted(2), RULES).moves()).isEmpty();
  }

  @Test
  void movesAGangsPodOnlyWhenTheGangCanSpareIt() {
    TestCluster cluster =
        TestCluster.of(2, 2).pod("g0", gang("x", "g"), 0, 0).pod("g1", gang("x", "g"), 1, 0);

    MovePlan rigid = consolidator.freeShape(cluster.snapshot(), wanted(2), RULES);
    MovePlan elastic =
        consolidator.freeShape(
            cluster.snapshot(), wanted(2), RULES.withGangMinimum(Map.of("g", 1)));

    assertThat(rigid.moves()).isEmpty();
    assertThat(elastic.moves()).hasSize(1);
  }

  @Test
  void movesWorkOfSickCardsFirstAndSaysWhatIsStuck() {
    TestCluster cluster = halfFull().pod("e", firm("x"), 0, 3).sick(0, 2).sick(0, 3);

    MovePlan plan = consolidator.evacuate(cluster.snapshot(), RULES);
    MovePlan wantsThree = consolidator.freeShape(cluster.snapshot(), wanted(2), RULES);

    assertThat(plan.moves())
        .singleElement()
        .satisfies(
            move -> {
              assertThat(move.from().request().name()).isEqualTo("b");
              assertThat(move.reason()).isEqualTo(Reason.SICK_CARD);
              assertThat(move.to().shares().getFirst().card()).isNotIn(2, 3);
            });
    assertThat(plan.stuck()).extracting(pod -> pod.request().name()).containsExactly("e");
    assertThat(wantsThree.moves().getFirst().reason()).isEqualTo(Reason.SICK_CARD);
  }

  @Test
  void everyMoveLowersTheFragmentationByWhatItSays() {
    ClusterSnapshot cluster = halfFull().snapshot();
    Fragmentation fragmentation = fragmentation();

    MovePlan plan = consolidator.lowerFragmentation(cluster, fragmentation, RULES);

    assertThat(plan.moves()).isNotEmpty();
    double before = fragmentation.milliOf(cluster);
    for (int moves = 1; moves <= plan.moves().size(); moves++) {
      double now = fragmentation.milliOf(Plans.after(plan, cluster, moves));
      assertThat(Math.round(before - now)).isEqualTo(plan.moves().get(moves - 1).gainMilli());
      assertThat(now).isLessThanOrEqualTo(before);
      before = now;
    }
    assertSafe(cluster, plan);
    assertThat(plan.gainMilli()).isEqualTo(2000);
  }

  @Test
  void doesNotMoveForAGainThatIsNotWorthIt() {
    ClusterSnapshot cluster = halfFull().snapshot();

    assertThat(
            consolidator
                .lowerFragmentation(
                    cluster, fragmentation(), new MoveRules(Map.of(), Map.of(), 10, 1000))
                .moves())
        .isEmpty();
    assertThat(
            consolidator.lowerFragmentation(cluster, fragmentation(), MoveRules.atMost(0)).moves())
        .isEmpty();
  }

  /** Each new place is free while the old one is still held. */
  static void assertSafe(ClusterSnapshot cluster, MovePlan plan) {
    Filter filter = new Filter(new LinkedCards());
    for (int moves = 0; moves < plan.moves().size(); moves++) {
      Move move = plan.moves().get(moves);
      ClusterSnapshot now = Plans.after(plan, cluster, moves);
      Placement to = move.to();
      Verdict verdict = filter.judge(now.find(to.node()).orElseThrow(), to.request().shape());
      assertThat(verdict).isInstanceOf(Verdict.Fits.class);
      to.shares()
          .forEach(
              share ->
                  assertThat(((Verdict.Fits) verdict).cards().contains(share.card())).isTrue());
    }
  }

  @Test
  void refusesInvalidRules() {
    assertThatThrownBy(() -> MoveRules.atMost(-1))
        .hasMessage("a plan of at most -1 moves that gain 10 percent; give 0 or more of both");
    assertThatThrownBy(() -> new MoveRules(Map.of(), Map.of(), 10, -1))
        .hasMessageContaining("-1 percent");
    Placement a = halfFull().snapshot().placements().findFirst().orElseThrow();
    Placement b = halfFull().snapshot().placements().skip(1).findFirst().orElseThrow();
    assertThatThrownBy(() -> new Move(a, b, Reason.MAKES_WAY, 0, 0))
        .hasMessage("a move of a to a place of b");
  }
}
