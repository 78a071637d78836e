package io.prescale.placement.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.NodeSpec.Readiness;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReservationsTest {
  private final FakeCluster cluster = new FakeCluster();

  @Test
  void aReservationOutlastsAReadingOfItsCards() {
    cluster.slice(Devices.sharedCards("node", 1));
    cluster.pod("one", Devices.shares(80, 100));
    var ledger = cluster.ledger();
    assertThat(ledger.steps(cluster.now)).hasSize(1);
    cluster.pod("two", Devices.shares(80, 100));
    cluster.tell(ledger, Map.of());

    ledger.nodeSeen("node", Readiness.NOT_READY);
    ledger.nodeSeen("node", Readiness.READY);
    ledger.taintRuleSeen(
        "elsewhere",
        new Taint.Rule(
            Optional.of("other.driver"),
            Optional.empty(),
            Optional.empty(),
            new Taint("k", "v", "NoSchedule")));

    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(80 * 1024);
    assertThat(ledger.steps(cluster.now)).isEmpty();
  }
}
