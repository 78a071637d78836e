package io.prescale.placement.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CardChoiceTest {
  @ParameterizedTest
  @MethodSource("io.prescale.placement.topology.Machines#all")
  void takesTheSetThatExhaustiveSearchFinds(String machine, LinkMatrix links) {
    CardChoice choice = new CardChoice(links);
    for (int free = 0; free < 256; free++) {
      for (int count : new int[] {1, 2, 4, 8}) {
        assertThat(choice.best(new CardSet(free), count, 0).map(CardSet::bits).orElse(0))
            .as("%d of %s on %s", count, new CardSet(free), machine)
            .isEqualTo(exhaustive(links, free, count));
      }
    }
  }

  @Test
  void takesTheSetThatExhaustiveSearchFindsForRandomLinks() {
    SplittableRandom random = new SplittableRandom(7);
    PciePath[] paths = PciePath.values();
    for (int round = 0; round < 60; round++) {
      int cards = 2 + random.nextInt(8);
      LinkMatrix links =
          LinkMatrix.of(
              cards, (a, b) -> new Link(paths[random.nextInt(paths.length)], random.nextInt(3)));
      int free = random.nextInt(1 << cards);
      int count = 1 + random.nextInt(cards);
      assertThat(
              new CardChoice(links).best(new CardSet(free), count, 0).map(CardSet::bits).orElse(0))
          .as("round %d", round)
          .isEqualTo(exhaustive(links, free, count));
    }
  }

  @Test
  void leavesAWholeQuadWhenPairsAreEqual() {
    CardChoice choice = new CardChoice(KnownMachines.pcieOnly());

    assertThat(choice.best(CardSet.of(0, 1, 2, 3, 6, 7), 2, 0)).contains(CardSet.of(6, 7));
    assertThat(choice.best(CardSet.of(0, 1, 4, 5, 6, 7), 2, 0)).contains(CardSet.of(0, 1));
    assertThat(choice.best(CardSet.of(0, 1, 2, 4, 5), 1, 0)).contains(CardSet.of(2));
  }

  @Test
  void takesOnlySetsAllOfWhosePairsAreLinkedAsRequired() {
    CardChoice dgx1 = new CardChoice(KnownMachines.dgx1V100());

    assertThat(dgx1.best(CardSet.first(8), 4, 100)).contains(CardSet.of(0, 1, 2, 3));
    assertThat(dgx1.best(CardSet.of(0, 1, 6, 7), 4, 100)).isEmpty();
    assertThat(dgx1.best(CardSet.of(0, 5, 6, 7), 3, 100)).contains(CardSet.of(5, 6, 7));
    assertThat(dgx1.best(CardSet.first(8), 8, 100)).isEmpty();
    assertThat(new CardChoice(KnownMachines.hgxH100()).best(CardSet.first(8), 8, 1800))
        .contains(CardSet.first(8));
  }

  @Test
  void valuesWhatIsLeftByItsLargestSets() {
    CardChoice choice = new CardChoice(KnownMachines.pcieOnly());

    assertThat(choice.potential(CardSet.first(8))).isEqualTo(new LinkPotential(520, 360, 200));
    assertThat(choice.potential(CardSet.of(0, 2))).isEqualTo(new LinkPotential(0, 0, 20));
    assertThat(choice.potential(CardSet.first(8).minus(CardSet.of(0))))
        .isEqualTo(new LinkPotential(0, 180, 150));
  }

  @Test
  void choosesAmongSixteenCards() {
    LinkMatrix links =
        LinkMatrix.of(
            16, (a, b) -> Link.pcie(a / 4 == b / 4 ? PciePath.SINGLE_SWITCH : PciePath.CROSS_CPU));
    CardChoice choice = new CardChoice(links);

    assertThat(choice.best(CardSet.first(16), 8, 0)).contains(CardSet.first(8));
    assertThat(choice.best(new CardSet(0b1111_0000_0111_1111), 4, 0))
        .contains(CardSet.of(0, 1, 2, 3));
    assertThat(choice.best(new CardSet(0b1111_0000_0111_1111), 1, 0)).contains(CardSet.of(4));
  }

  @Test
  void givesNothingWhenTooFewAreFree() {
    CardChoice choice = new CardChoice(KnownMachines.pcieOnly());

    assertThat(choice.best(CardSet.NONE, 1, 0)).isEmpty();
    assertThat(choice.best(CardSet.first(3), 4, 0)).isEmpty();
    assertThat(choice.best(CardSet.first(8), 9, 0)).isEmpty();
    assertThatThrownBy(() -> choice.best(CardSet.first(8), 0, 0))
        .hasMessage("a request for 0 cards; ask for 1 or more");
    assertThatThrownBy(() -> choice.best(CardSet.of(8), 1, 0))
        .hasMessage("cards {8} on a node of 8");
  }

  /** Tries all sets, and for each all divisions of the rest; shares no code with CardChoice. */
  private static int exhaustive(LinkMatrix links, int free, int count) {
    int best = 0;
    List<Integer> bestKey = List.of();
    for (int set : sets(free, count)) {
      int rest = free & ~set;
      List<Integer> key =
          List.of(
              sum(links, set),
              division(links, rest, 8),
              division(links, rest, 4),
              division(links, rest, 2));
      if (best == 0 || compare(key, bestKey) > 0 || (key.equals(bestKey) && isBefore(set, best))) {
        best = set;
        bestKey = key;
      }
    }
    return best;
  }

  private static boolean isBefore(int set, int other) {
    int first = Integer.lowestOneBit(set ^ other);
    return (set & first) != 0;
  }

  private static int division(LinkMatrix links, int bits, int size) {
    int most = 0;
    for (int set : sets(bits, size)) {
      most = Math.max(most, sum(links, set) + division(links, bits & ~set, size));
    }
    return most;
  }

  private static List<Integer> sets(int within, int size) {
    List<Integer> sets = new ArrayList<>();
    for (int set = within; set > 0; set = set - 1 & within) {
      if (Integer.bitCount(set) == size) {
        sets.add(set);
      }
    }
    return sets;
  }

  private static int sum(LinkMatrix links, int set) {
    int sum = 0;
    for (int a = 0; a < links.cards(); a++) {
      for (int b = 0; b < a; b++) {
        sum += (set >> a & set >> b & 1) * links.score(a, b);
      }
    }
    return sum;
  }

  private static int compare(List<Integer> left, List<Integer> right) {
    for (int i = 0; i < left.size(); i++) {
      if (!left.get(i).equals(right.get(i))) {
        return Integer.compare(left.get(i), right.get(i));
      }
    }
    return 0;
  }
}
