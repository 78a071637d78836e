package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.HamiAnnotations;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Container;
import io.prescale.placement.inventory.Pods;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Containers that run before others, beside sidecars that stay. */
class SidecarsTest {
  private static final Map<String, Long> CARD = Map.of("nvidia.com/gpu", 1L);
  private static final Container SIDECAR = new Container("sidecar", false, CARD);
  private static final Container INIT = new Container("init", true, CARD);
  private static final Container MAIN = new Container("main", false, Map.of());

  private final Ledger ledger = new Ledger(10);

  private Candidates offer(PodFacts pod) {
    ledger.seen(pod);
    return ledger.candidates(pod, List.of("a"), true, NOW, _ -> 0);
  }

  private Map<String, String> bind(PodFacts pod) {
    var bind = (Decision.Bind) ledger.decide(pod.uid(), "a", NOW);
    var chosen = bind.cards().orElseThrow();
    return HamiAnnotations.of(chosen.family(), chosen.devices(), "a", NOW);
  }

  @Test
  void anInitContainerAfterASidecarHasACardOfItsOwn() {
    var pod = Pods.of("p", List.of(SIDECAR, INIT, MAIN), Map.of());
    ledger.seen(Nodes.a100("a", 1));
    assertThat(offer(pod)).isInstanceOf(Candidates.Nowhere.class);

    ledger.seen(Nodes.a100("a", 2));
    assertThat(offer(pod)).isInstanceOf(Candidates.Nodes.class);
    var written = bind(pod);
    assertThat(written.getOrDefault(RECORD, "").split(":;", -1))
        .containsExactly("GPU-a-0,NVIDIA,81920,0", "GPU-a-1,NVIDIA,81920,0", ";");
    ledger.seen(Pods.bound(pod, "a", written));
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(2 * 81_920);
  }

  @Test
  void anInitContainerBeforeASidecarHandsItsCardOn() {
    var pod = Pods.of("p", List.of(INIT, SIDECAR, MAIN), Map.of());
    ledger.seen(Nodes.a100("a", 1));

    assertThat(offer(pod)).isInstanceOf(Candidates.Nodes.class);
    ledger.seen(Pods.bound(pod, "a", bind(pod)));

    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(81_920);
  }

  /** Of what another scheduler has put on one card, both count at a time. */
  @Test
  void sharesOfASidecarAndOfAnInitContainerAfterItAddUp() {
    var share = "GPU-a-0,NVIDIA,30000,0:;";
    var pod = Pods.of("p", List.of(SIDECAR, INIT, MAIN), Map.of());
    ledger.seen(Nodes.a100("a", 1));

    ledger.seen(Pods.bound(pod, "a", Map.of(RECORD, share + share + ";")));

    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(60_000);
  }
}
