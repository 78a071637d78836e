package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Ledger;
import io.prometheus.client.CollectorRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerMetricsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final Ledger ledger = new Ledger(10);
  private final CollectorRegistry registry = new CollectorRegistry();

  @BeforeEach
  void register() {
    new LedgerMetrics(ledger, new ClaimLedger()).register(registry);
  }

  /**
   * Of eleven usual requests three want a quarter, three a half, three a whole card, one four, and
   * one eight cards.
   */
  @Test
  void fragmentsAreWhatIsIdleAndOfNoUseToTheUsualRequests() {
    assertThat(fragmentedMilli()).as("without cards").isZero();

    ledger.seen(Nodes.a100("node", 4));
    assertThat(fragmentedMilli())
        .as("only who wants eight cards can use none of the four")
        .isEqualTo(364); // 4000 / 11

    ledger.seen(share("most", 57_344));
    ledger.candidates(share("most", 57_344), List.of("node"), true, NOW, _ -> 0);
    assertThat(fragmentedMilli())
        .as("300 of one card for halves and wholes; all 3300 for fours and eights")
        .isEqualTo(764); // (3 * 300 + 3 * 300 + 3300 + 3300) / 11
  }

  @Test
  void onceThirtyPodsAreKnownTheirOwnRequestsCount() {
    ledger.seen(Nodes.a100("node", 1));
    for (int i = 0; i < 30; i++) {
      ledger.seen(Pods.asking("pair-" + i, Map.of("nvidia.com/gpu", 2L)));
    }
    assertThat(fragmentedMilli()).as("of use to nine of eleven").isEqualTo(182);

    ledger.observeRequests(NOW);

    assertThat(fragmentedMilli()).as("of use to no pair").isEqualTo(1000);
  }

  private static PodFacts share(String name, long mebibytes) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", mebibytes));
  }

  private double fragmentedMilli() {
    return registry.getSampleValue("prescale_gpu_fragmented_milli");
  }
}
