package io.prescale.placement.preference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.NodePosition;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.topology.CardSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PreferenceTest {
  private static final RequestShape HALF = RequestShape.of(1, new GpuDemand.Fraction(500));
  private static final RequestShape PAIR = RequestShape.of(2, GpuDemand.WholeGpu.ANY);

  private static long cost(Preference preference, GpuNode node, RequestShape shape, int... cards) {
    return preference.on(node, shape).of(CardSet.of(cards));
  }

  /** Four cards with 1000, 700, 400 and 1000 thousandths left. */
  private static GpuNode node() {
    var cluster = ClusterSnapshot.of(List.of(Clusters.shared("a", 4)));
    cluster = Clusters.put(cluster, Clusters.fraction("p", 300), "a", 1);
    return Clusters.put(cluster, Clusters.fraction("q", 600), "a", 2).node(0);
  }

  private static GpuNode withHealth(GpuHealth health) {
    var spec = Clusters.shared("a", 2);
    return GpuNode.of(
        spec.withGpus(List.of(spec.gpus().get(0), spec.gpus().get(1).withHealth(health))));
  }

  private static TaskClass wholeCard() {
    return new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1);
  }

  @Test
  void theGradientIsQuantisedAsPublished() {
    var preference =
        new LeastFragmentation(new Fragmentation(new TargetWorkload(List.of(wholeCard()))));

    // ⌊100 / (1 + e^x)⌋: on an idle card 500 are lost, x = 0.5; on card 1, 500 are won, x = -0.5.
    assertThat(cost(preference, node(), HALF, 0)).isEqualTo(-37);
    assertThat(cost(preference, node(), HALF, 1)).isEqualTo(-62);
    // Nothing is lost or won: 50.
    assertThat(cost(preference, node(), PAIR, 0, 3)).isEqualTo(-50);
    assertThat(cost(preference, oneCard(1), fraction(999), 0)).isEqualTo(-73);
    assertThat(cost(preference, oneCard(0), fraction(1), 0)).isEqualTo(-26);
  }

  @Test
  void theLeastLossIsAStepBelowNone() {
    var mostlySmall =
        new TargetWorkload(
            List.of(
                new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1),
                new TaskClass(0, 1, new GpuDemand.Fraction(1), CardSelector.ANY, 999)));
    var preference = new LeastFragmentation(new Fragmentation(mostlySmall));

    assertThat(cost(preference, oneCard(0), fraction(1), 0)).isEqualTo(-49);
    assertThat(cost(preference, oneCard(0), RequestShape.of(1, GpuDemand.WholeGpu.ANY), 0))
        .isEqualTo(-50);
  }

  private static RequestShape fraction(int milli) {
    return RequestShape.of(1, new GpuDemand.Fraction(milli));
  }

  private static GpuNode oneCard(int usedMilli) {
    var cluster = ClusterSnapshot.of(List.of(Clusters.shared("a", 1)));
    return (usedMilli == 0
            ? cluster
            : Clusters.put(cluster, Clusters.fraction("p", usedMilli), "a", 0))
        .node(0);
  }

  @Test
  void bestFitAddsWhatIsLeftOfCpuAndGpu() {
    var shape = HALF.withHost(new HostDemand(4_000, 0, ""));

    // (64 - 4) of 128 cores and (3.1 - 0.5) of 8 cards, in millionths.
    assertThat(cost(new BestFit(128_000, 8), node(), shape, 1)).isEqualTo(468_750 + 325_000);
    assertThatThrownBy(() -> new BestFit(0, 8))
        .hasMessage("the largest node has 0 milli CPU and 8 GPUs; give at least 1 of both");
  }

  @Test
  void packsOrSpreadsCardsAndNodes() {
    assertThat(cost(new CardPacking(false), node(), HALF, 1)).isEqualTo(700);
    assertThat(cost(new CardPacking(true), node(), HALF, 1)).isEqualTo(-700);
    assertThat(cost(new NodePacking(true), node(), HALF, 1)).isEqualTo(225);
    assertThat(cost(new NodePacking(false), node(), HALF, 1)).isEqualTo(775);
    var noCards = GpuNode.of(new NodeSpec("c", 1000, 0, List.of()));
    assertThat(
            cost(
                new NodePacking(true),
                noCards,
                RequestShape.of(0, new GpuDemand.NoGpu()).withHost(HostDemand.NONE)))
        .isZero();
  }

  @Test
  void prefersNodesWithoutIdleCardsWhateverTheirSize() {
    var cluster = ClusterSnapshot.of(List.of(Clusters.shared("a", 2)));
    assertThat(cost(new NoIdleCard(), cluster.node(0), HALF, 1)).isEqualTo(1);
    cluster = Clusters.put(cluster, Clusters.fraction("p", 100), "a", 0);
    assertThat(cost(new NoIdleCard(), cluster.node(0), HALF, 1)).isEqualTo(1);
    cluster = Clusters.put(cluster, Clusters.fraction("q", 100), "a", 1);
    assertThat(cost(new NoIdleCard(), cluster.node(0), HALF, 1)).isZero();
    assertThat(cost(new NoIdleCard(), node(), HALF, 1)).isEqualTo(1);
  }

  @Test
  void countsSignsOfTroubleAndMissingHeadroom() {
    var errors = GpuHealth.UNKNOWN.withErrors(9, 1, List.of(79)).withThrottled(true);
    assertThat(cost(new CardHealth(), withHealth(errors), PAIR, 0, 1)).isEqualTo(6);
    assertThat(cost(new CardHealth(), withHealth(errors), HALF, 0)).isZero();
    var faultyApplication = GpuHealth.UNKNOWN.withErrors(0, 0, List.of(13, 43));
    assertThat(cost(new CardHealth(), withHealth(faultyApplication), PAIR, 0, 1)).isZero();

    assertThat(cost(new Headroom(), withHealth(GpuHealth.UNKNOWN.withTemperature(79)), HALF, 1))
        .isZero();
    assertThat(cost(new Headroom(), withHealth(GpuHealth.UNKNOWN.withTemperature(86)), HALF, 1))
        .isEqualTo(2);
    assertThat(cost(new Headroom(), withHealth(GpuHealth.UNKNOWN.withPower(380, 400)), HALF, 1))
        .isEqualTo(2);
    assertThat(cost(new Headroom(), withHealth(GpuHealth.UNKNOWN.withPower(300, 0)), HALF, 1))
        .isZero();
  }

  @Test
  void prefersNodesThatHaveTheImage() {
    var shape = HALF.withHost(new HostDemand(0, 0, "llm:1"));
    var with =
        GpuNode.of(
            new NodeSpec(
                "a",
                1,
                1,
                Clusters.shared("a", 1).gpus(),
                Optional.empty(),
                Optional.empty(),
                NodePosition.UNKNOWN,
                Set.of("llm:1"),
                NodeSpec.Readiness.READY));

    assertThat(cost(new ImagePresence(), with, shape, 0)).isZero();
    assertThat(cost(new ImagePresence(), node(), shape, 0)).isEqualTo(1);
    assertThat(cost(new ImagePresence(), node(), HALF, 0)).isZero();
  }

  @Test
  void scoresLinksOnlyWhereTheyAreAskedFor() {
    var dgx = GpuNode.of(Clusters.dgx1("a"));
    var linked = PAIR.withLinks(LinkRequirement.preferred());

    assertThat(cost(new LinkQuality(), dgx, linked, 0, 3))
        .isEqualTo(-dgx.spec().links().orElseThrow().score(0, 3));
    assertThat(cost(new LinkQuality(), dgx, PAIR, 0, 3)).isZero();
    assertThat(cost(new LinkQuality(), node(), linked, 0, 3)).isZero();
  }

  @Test
  void whatRemainsWellLinkedCostsLess() {
    var dgx = GpuNode.of(Clusters.dgx1("a"));
    var remaining = new RemainingLinks(new LinkedCards());
    var inUse =
        Clusters.put(
                ClusterSnapshot.of(List.of(Clusters.dgx1("a"))), Clusters.wholeGpus("p", 1), "a", 0)
            .node(0);

    assertThat(cost(remaining, dgx, HALF, 0)).isPositive();
    assertThat(cost(remaining, inUse, HALF, 0)).isZero();
    assertThat(cost(remaining, node(), HALF, 0)).isZero();
  }

  @Test
  void everyCostIsDescribed() {
    var workload = new TargetWorkload(List.of(wholeCard()));

    assertThat(new LeastFragmentation(new Fragmentation(workload)).inWords(-37))
        .isEqualTo("37 of 100 points");
    assertThat(new CardHealth().inWords(0)).isEqualTo("no known sign of trouble");
    assertThat(new CardHealth().inWords(1)).isEqualTo("1 sign of trouble");
    assertThat(new CardHealth().inWords(5)).isEqualTo("5 signs of trouble");
    assertThat(new CardPacking(true).inWords(-700)).isEqualTo("0.70 cards free");
    assertThat(new Headroom().inWords(0)).isEqualTo("none known to be too warm");
    assertThat(new Headroom().inWords(2)).isEqualTo("2 steps too warm");
    assertThat(new ImagePresence().inWords(0)).isEqualTo("present, or none named");
    assertThat(new ImagePresence().inWords(1)).isEqualTo("to be pulled");
    assertThat(new LinkQuality().inWords(0)).isEqualTo("none needed, or none known");
    assertThat(new LinkQuality().inWords(-36)).isEqualTo("a link score of 36");
    assertThat(new NoIdleCard().inWords(0)).isEqualTo("none is idle");
    assertThat(new NodePacking(false).inWords(375)).isEqualTo("62.5 % used");
    assertThat(new NodePacking(true).inWords(375)).isEqualTo("37.5 % used");
    assertThat(new BestFit(1000, 8).inWords(500_000)).isEqualTo("25.0 % left of the largest node");
  }

  @Test
  void lostLinksAreDescribedBySetSize() {
    var dgx = GpuNode.of(Clusters.dgx1("a"));
    var remaining = new RemainingLinks(new LinkedCards());
    var choice = new LinkedCards().choiceOn(dgx).orElseThrow();
    var idle = dgx.idleCards();
    var loss = choice.potential(idle).minus(choice.potential(idle.minus(CardSet.of(0))));

    assertThat(remaining.inWords(cost(remaining, dgx, HALF, 0)))
        .startsWith("sets of eight lose %,d and sets of four lose ".formatted(loss.eights()))
        .endsWith(" of their link score");
    assertThat(remaining.inWords(7_000L << 20))
        .isEqualTo("sets of four lose 7,000 of their link score");
    assertThat(remaining.inWords((7L << 20) + 5))
        .isEqualTo("sets of four lose 7 and pairs lose 5 of their link score");
    assertThat(loss.eights()).isPositive();
    assertThat(remaining.inWords(0)).isEqualTo("nothing lost");
  }
}
