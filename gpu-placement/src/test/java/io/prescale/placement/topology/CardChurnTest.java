package io.prescale.placement.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.placement.topology.CardChurn.Availability;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table "How long sets of four stay available" of docs/benchmarks.md. */
class CardChurnTest {
  /** HAMi's rule / Prescale's: on one node at a load of 50 % and 80 %, on eight nodes at 80 %. */
  private static final Map<String, String> TABLE =
      Map.of(
          "DGX-1 V100", "73.4 / 75.1, 55.5 / 57.7, 89.3 / 89.7",
          "DGX A100", "79.7 / 79.7, 65.8 / 65.8, 92.2 / 92.3",
          "HGX H100", "76.7 / 77.3, 59.5 / 60.5, 90.4 / 90.8",
          "PCIe only", "76.4 / 77.1, 59.1 / 60.1, 90.3 / 90.5",
          "P800", "76.7 / 77.3, 59.5 / 60.5, 90.4 / 90.6");

  @ParameterizedTest
  @MethodSource("io.prescale.placement.topology.Machines#all")
  void setsOfFourStayAvailableLongerThanWithHamisRule(String machine, LinkMatrix links) {
    String row = String.join(", ", cell(links, 1, 0.5), cell(links, 1, 0.8), cell(links, 8, 0.8));

    assertThat(row).isEqualTo(TABLE.get(machine));
  }

  private static String cell(LinkMatrix links, int nodes, double load) {
    Availability hami = new CardChurn(links).run(CardChurn.hami(links), nodes, load);
    Availability ours = new CardChurn(links).run(CardChurn.ours(links), nodes, load);
    assertThat(ours.quad()).isGreaterThanOrEqualTo(hami.quad());
    assertThat(ours.eight()).isCloseTo(hami.eight(), within(0.005));
    return String.format(Locale.ROOT, "%.1f / %.1f", 100 * hami.quad(), 100 * ours.quad());
  }
}
