package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountedUnitsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final Ledger ledger = new Ledger(10);

  @Test
  void unitsBeyondALongMakeNoRoom() {
    ledger.seen(Nodes.plain("plain", 8));
    for (var name : List.of("huge", "huger")) {
      var pod = Pods.asking(name, Map.of("nvidia.com/gpu", Long.MAX_VALUE));
      ledger.seen(Pods.bound(pod, "plain", Map.of()));
    }

    assertThat(offer("one", 1)).isInstanceOf(Candidates.Nowhere.class);
    assertThat(offer("all", Long.MAX_VALUE)).isInstanceOf(Candidates.Nowhere.class);
  }

  @Test
  void namesWhatANodeLacksInTheSameOrderInEveryProcess() {
    ledger.seen(Nodes.plain("plain", 8));
    var asked =
        Map.of(
            "nvidia.com/mig-1g.5gb", 1L,
            "nvidia.com/mig-2g.10gb", 1L,
            "nvidia.com/mig-3g.20gb", 1L,
            "nvidia.com/mig-4g.20gb", 1L);

    var found = ledger.candidates(Pods.asking("mixed", asked), List.of("plain"), true, NOW, _ -> 0);

    assertThat(((Candidates.Nowhere) found).summary())
        .isEqualTo(
            "1 node: lacks free nvidia.com/mig-1g.5gb and nvidia.com/mig-2g.10gb"
                + " and nvidia.com/mig-3g.20gb and nvidia.com/mig-4g.20gb");
  }

  private Candidates offer(String name, long units) {
    var pod = Pods.asking(name, Map.of("nvidia.com/gpu", units));
    return ledger.candidates(pod, List.of("plain"), true, NOW, _ -> 0);
  }
}
