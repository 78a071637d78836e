package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bindings of pods that are on a node already. */
class LateBindingsTest {
  private final Ledger ledger = new Ledger(10);

  private static PodFacts share(String name, long mib) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", mib));
  }

  private boolean isOffered(PodFacts pod, String node) {
    ledger.seen(pod);
    return ledger.candidates(pod, List.of(node), true, NOW, _ -> 0) instanceof Candidates.Nodes;
  }

  /** Another scheduler, or a former leader, has bound it first. */
  @Test
  void aBindingThatFailsLeavesAPodThatIsSeenElsewhereItsCards() {
    ledger.seen(Nodes.a100("a", 1));
    ledger.seen(Nodes.a100("b", 1));
    ledger.seen(Pods.bound(share("old", 20_000), "a", Map.of(RECORD, "GPU-a-0,NVIDIA,20000,0:;")));
    var pod = share("p", 50_000);
    var other = share("q", 80_000);
    assertThat(isOffered(pod, "b")).isTrue();
    assertThat(ledger.decide(pod.uid(), "b", NOW)).isInstanceOf(Decision.Bind.class);
    assertThat(isOffered(other, "b")).isFalse();
    assertThat(ledger.awaken(1, NOW)).isEmpty();

    ledger.seen(Pods.bound(pod, "a", Map.of(RECORD, "GPU-a-0,NVIDIA,50000,0:;")));
    ledger.failed(pod.uid(), NOW);

    assertThat(isOffered(share("r", 50_000), "a")).isFalse();
    assertThat(ledger.awaken(1, NOW)).as("there is room on node b again").containsExactly(other);
  }
}
