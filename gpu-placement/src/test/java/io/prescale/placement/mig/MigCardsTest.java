package io.prescale.placement.mig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MigCardsTest {
  @Test
  void knowsCardsByProductNameAndMemory() {
    assertThat(MigCards.of("NVIDIA-A100-SXM4-80GB", 81920)).isEqualTo(MigCards.A100_80GB);
    assertThat(MigCards.of("NVIDIA A100-PCIE-40GB", 40960)).isEqualTo(MigCards.A100_40GB);
    assertThat(MigCards.of("NVIDIA A30", 24576)).isEqualTo(MigCards.A30);
    assertThat(MigCards.of("NVIDIA H100 80GB HBM3", 81559)).isEqualTo(MigCards.H100_80GB);
    assertThat(MigCards.of("NVIDIA H100 NVL", 95830)).isEqualTo(MigCards.H100_94GB);
    assertThat(MigCards.of("NVIDIA GH200 480GB", 97871)).isEqualTo(MigCards.H100_96GB);
    assertThat(MigCards.of("NVIDIA H200", 143771)).isEqualTo(MigCards.H200);
    assertThat(MigCards.of("NVIDIA B200", 183359)).isEqualTo(MigCards.B200);
    assertThat(MigCards.of("Tesla T4", 15360)).isEmpty();
    assertThat(MigCards.of("A1000", 8192)).isEmpty();
    assertThat(MigCards.of("", 0)).isEmpty();
  }

  @Test
  void namesProfilesAsTheUserGuideDoes() {
    assertThat(MigCards.A100_40GB)
        .extracting(MigProfile::name)
        .containsExactly(
            "1g.5gb", "1g.5gb+me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb");
    assertThat(MigCards.H200)
        .extracting(MigProfile::name)
        .containsExactly(
            "1g.18gb", "1g.18gb+me", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb");
    assertThat(MigCards.B200)
        .extracting(MigProfile::name)
        .containsExactly(
            "1g.23gb", "1g.23gb+me", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb");
    assertThat(MigCards.A100_80GB)
        .extracting(MigProfile::computeMilli)
        .containsExactly(142, 142, 142, 285, 428, 571, 1000);
  }

  /** The nineteen ways to cut an A100 completely, in the figure "MIG Profiles on A100". */
  @Test
  void anA100CanBeCutCompletelyInNineteenWays() {
    Set<String> complete = new HashSet<>();
    List<MigProfile> plain =
        MigCards.A100_40GB.stream()
            .filter(p -> !p.name().contains("+") && !p.name().equals("1g.10gb"))
            .toList();
    cut(plain, 0, new TreeSet<>(), complete);

    assertThat(complete).hasSize(19);
  }

  @Test
  void anA30CanBeCutCompletelyInFiveWays() {
    Set<String> complete = new HashSet<>();
    cut(
        MigCards.A30.stream().filter(p -> !p.name().contains("+")).toList(),
        0,
        new TreeSet<>(),
        complete);

    assertThat(complete).hasSize(5);
  }

  private static void cut(
      List<MigProfile> profiles, int taken, SortedSet<String> pieces, Set<String> complete) {
    boolean full = true;
    for (MigProfile profile : profiles) {
      for (int start : profile.freeStarts(taken).toArray()) {
        full = false;
        SortedSet<String> more = new TreeSet<>(pieces);
        more.add(start + ":" + profile.name());
        cut(profiles, taken | profile.slices(start), more, complete);
      }
    }
    if (full) {
      complete.add(String.join(" ", pieces));
    }
  }

  @Test
  void refusesProfilesThatCannotLieOnACard() {
    assertThatThrownBy(() -> new MigProfile("", 142, 5120, List.of(0), 1, 7))
        .hasMessage("a MIG profile needs a name, such as 1g.10gb");
    assertThatThrownBy(() -> new MigProfile("x", 142, 5120, List.of(), 1, 7))
        .hasMessage("MIG profile x has no place; give starts");
    assertThatThrownBy(() -> new MigProfile("x", 142, 5120, List.of(2, 0), 1, 7))
        .hasMessageContaining("starts at [2, 0]; give ascending starts");
    assertThatThrownBy(() -> new MigProfile("x", 142, 5120, List.of(15), 2, 7))
        .hasMessageContaining("the last is at most 14");
    assertThatThrownBy(() -> new MigProfile("x", 0, 5120, List.of(0), 2, 7))
        .hasMessageContaining("give 1 to 1000 milli");
    assertThatThrownBy(() -> new MigProfile("x", 1, 5120, List.of(0), Integer.MAX_VALUE, 7))
        .hasMessageContaining("starts at [0]");
  }
}
