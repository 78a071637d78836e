package io.prescale.placement.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LinkMatrixTest {
  @Test
  void scoresLinksAsGoGpuAllocatorDoes() {
    assertThat(Link.pcie(PciePath.UNKNOWN).score()).isZero();
    assertThat(Link.pcie(PciePath.CROSS_CPU).score()).isEqualTo(10);
    assertThat(Link.pcie(PciePath.SAME_CPU).score()).isEqualTo(20);
    assertThat(Link.pcie(PciePath.HOST_BRIDGE).score()).isEqualTo(30);
    assertThat(Link.pcie(PciePath.MULTI_SWITCH).score()).isEqualTo(40);
    assertThat(Link.pcie(PciePath.SINGLE_SWITCH).score()).isEqualTo(50);
    assertThat(Link.pcie(PciePath.SAME_BOARD).score()).isEqualTo(60);
    assertThat(new Link(PciePath.SINGLE_SWITCH, 4).score()).isEqualTo(450);
    assertThat(new Link(PciePath.UNKNOWN, 18).score()).isEqualTo(1800);
  }

  @Test
  void everyV100OfDgx1HasSixNvLinks() {
    LinkMatrix links = KnownMachines.dgx1V100();
    for (int card = 0; card < 8; card++) {
      int nvLinks = 0;
      for (int other = 0; other < 8; other++) {
        nvLinks += links.score(card, other) / 100;
      }
      assertThat(nvLinks).as("card %d", card).isEqualTo(6);
    }
    assertThat(links.score(0, 3)).isEqualTo(230);
    assertThat(links.score(0, 4)).isEqualTo(210);
    assertThat(links.score(2, 3)).isEqualTo(250);
    assertThat(links.score(0, 5)).isEqualTo(10);
  }

  @Test
  void addsTheScoresOfASetsPairs() {
    assertThat(KnownMachines.hgxH100().score(CardSet.of(0, 1, 4))).isEqualTo(1820 + 1810 + 1810);
    assertThat(KnownMachines.hgxH100().score(CardSet.of(5))).isZero();
    assertThat(KnownMachines.dgxA100().score(CardSet.of(6, 7))).isEqualTo(1240);
    assertThat(KnownMachines.pcieOnly().score(CardSet.of(0, 1, 2, 3))).isEqualTo(2 * 50 + 4 * 20);
  }

  @Test
  void treatsAPairWhoseDirectionsDifferAsUnknown() {
    LinkMatrix links = LinkMatrix.ofScores(new int[][] {{7, 100, 20}, {200, 7, 20}, {20, 20, 7}});

    assertThat(links.score(0, 1)).isZero();
    assertThat(links.score(1, 2)).isEqualTo(20);
    assertThat(links.score(0, 0)).isZero();
  }

  @Test
  void refusesInvalidTablesOfLinkScores() {
    assertThatThrownBy(() -> LinkMatrix.ofScores(new int[0][]))
        .hasMessage("a node has 0 cards; give 1 to 16");
    assertThatThrownBy(() -> LinkMatrix.ofScores(new int[17][17]))
        .hasMessage("a node has 17 cards; give 1 to 16");
    assertThatThrownBy(() -> LinkMatrix.ofScores(new int[][] {{0, 1}, {1}}))
        .hasMessage("row 1 of the link scores has 1 values; give 2, one for each card");
    assertThatThrownBy(() -> LinkMatrix.ofScores(new int[][] {{0, -1}, {-1, 0}}))
        .hasMessage("link score -1 between cards 0 and 1; give 0 to 6460");
    assertThatThrownBy(() -> LinkMatrix.ofScores(new int[][] {{0, 6_461}, {1, 0}}))
        .hasMessageContaining("6461");
    assertThatThrownBy(() -> new Link(PciePath.SAME_CPU, -1))
        .hasMessage("a pair of cards has -1 NVLinks; give 0 to 64");
    assertThatThrownBy(() -> CardSet.of(16))
        .hasMessage("card 16 does not exist; indices go from 0 to 15");
    assertThatThrownBy(() -> new CardSet(-1)).hasMessage("a node has at most 16 cards");
  }
}
