package io.prescale.controller.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.dra.ClaimLedger;
import io.prescale.controller.inventory.Nodes;
import io.prescale.controller.inventory.PodFacts;
import io.prescale.controller.inventory.Pods;
import io.prescale.controller.placement.Ledger;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExtenderMetricsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final Ledger ledger = new Ledger(10);
  private final ExtenderMetrics metrics =
      new ExtenderMetrics(
          ledger,
          new ClaimLedger(),
          new UsageMetrics(ledger::uses, Map::of, _ -> Optional.empty()));

  /**
   * Of eleven usual requests three want a quarter, three a half, three a whole card, one four, and
   * one eight cards.
   */
  @Test
  void fragmentsAreWhatIsIdleAndOfNoUseToTheUsualRequests() throws IOException {
    assertThat(value("prescale_gpu_fragmented_milli")).as("without cards").isZero();

    ledger.seen(Nodes.a100("node", 4));
    assertThat(value("prescale_gpu_fragmented_milli"))
        .as("only who wants eight cards can use none of the four")
        .isCloseTo(4000.0 / 11, within(1e-9));

    ledger.seen(share("most", 57_344));
    ledger.candidates(share("most", 57_344), List.of("node"), true, NOW, _ -> 0);
    assertThat(value("prescale_gpu_fragmented_milli"))
        .as("300 of one card for halves and wholes; all 3300 for fours and eights")
        .isCloseTo((3 * 300 + 3 * 300 + 3300 + 3300) / 11.0, within(1e-9));
  }

  private static PodFacts share(String name, long mebibytes) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", mebibytes));
  }

  private double value(String name) throws IOException {
    var page = new StringWriter();
    metrics.write(page);
    return page.toString()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }
}
