package io.prescale.placement.preference;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.topology.Link;
import io.prescale.placement.topology.LinkMatrix;
import io.prescale.placement.topology.LinkPotential;
import io.prescale.placement.topology.PciePath;
import io.prescale.placement.vacancy.TestCluster;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RemainingLinksTest {
  private static final RequestShape PAIR = RequestShape.of(2, GpuDemand.WholeGpu.ANY);

  /** Of any scores that a node may publish, if they are accepted. */
  @Test
  void thoseWhoLeaveTheBestLargerSetsCostLessWhateverTheScores() {
    var random = new SplittableRandom(11);
    int decidedBySmaller = 0;
    int refused = 0;
    for (int round = 0; round < 300; round++) {
      var published = table(random);
      if (!isAccepted(published)) {
        refused++;
        continue;
      }
      var links = LinkMatrix.ofScores(published);
      var node = TestCluster.of(1, links).snapshot().node(0);
      var choice = new LinkedCards().choiceOn(node).orElseThrow();
      var costs = new RemainingLinks(new LinkedCards()).on(node, PAIR);
      var all = choice.potential(node.idleCards());
      var one = pair(random, links.cards());
      var other = pair(random, links.cards());
      var lossOfOne = all.minus(choice.potential(node.idleCards().minus(one)));
      var lossOfOther = all.minus(choice.potential(node.idleCards().minus(other)));

      assertThat(Integer.signum(Long.compare(costs.of(one), costs.of(other))))
          .as("round %d: %s, %s", round, lossOfOne, lossOfOther)
          .isEqualTo(Integer.signum(lossOfOne.compareTo(lossOfOther)));
      decidedBySmaller += isDecidedBySmaller(lossOfOne, lossOfOther) ? 1 : 0;
    }
    assertThat(decidedBySmaller).isGreaterThan(20);
    assertThat(refused).isBetween(50, 150);
  }

  /** Each of the most cards that a node can have is linked with each as well as any can be. */
  @Test
  void whatIsLostOfOneSizeIsNeverTakenForALossOfAnother() {
    var best = new Link(PciePath.SAME_BOARD, Link.MOST_NV_LINKS);
    var links = LinkMatrix.of(16, (_, _) -> best);
    var node = TestCluster.of(1, links).snapshot().node(0);
    var preference = new RemainingLinks(new LinkedCards());
    var all = RequestShape.of(16, GpuDemand.WholeGpu.ANY);

    assertThat(links.score(0, 1)).isEqualTo(6_460);
    assertThat(preference.inWords(preference.on(node, all).of(CardSet.first(16))))
        .isEqualTo(
            "sets of eight lose 361,760 and sets of four lose 155,040 and pairs lose 51,680 of"
                + " their link score");
  }

  private static boolean isDecidedBySmaller(LinkPotential one, LinkPotential other) {
    return one.eights() == other.eights() && one.compareTo(other) != 0;
  }

  private static CardSet pair(SplittableRandom random, int cards) {
    int first = random.nextInt(cards);
    return CardSet.of(first, (first + 1 + random.nextInt(cards - 1)) % cards);
  }

  private static boolean isAccepted(int[][] table) {
    try {
      return LinkMatrix.ofScores(table).cards() == table.length;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** The scores of up to twelve cards; the highest are of no link that there is. */
  private static int[][] table(SplittableRandom random) {
    int cards = 4 + random.nextInt(9);
    var table = new int[cards][cards];
    int highest = random.nextInt(3) == 0 ? 1_000_000 : 100 * random.nextInt(65);
    for (int a = 0; a < cards; a++) {
      for (int b = 0; b < a; b++) {
        table[a][b] = random.nextBoolean() ? highest - random.nextInt(1 + highest / 1_000) : 0;
        table[b][a] = table[a][b];
      }
    }
    return table;
  }
}
