package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.overcommit.BoundedRisk;
import io.prescale.placement.overcommit.BoundedRisk.Dependence;
import io.prescale.placement.overcommit.ObservedMemory;
import io.prescale.placement.overcommit.ObservedMemory.Observation;
import io.prescale.placement.overcommit.ObservedMemory.Share;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A card of 81,920 MiB that promises more than it has, by what its pods were seen to use. */
class LedgerMemoryTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final int HALF = 40_960;
  private static final BoundedRisk ONE_PERCENT = new BoundedRisk(10_000, Dependence.ANY);

  private final Ledger ledger = new Ledger(10);

  private static PodFacts asking(String name, long mib) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", mib));
  }

  private void running(String name) {
    ledger.seen(
        Pods.bound(
            asking(name, HALF),
            "a",
            Map.of("hami.io/vgpu-devices-allocated", "GPU-a-0,NVIDIA,%d,0:;".formatted(HALF))));
  }

  private static ObservedMemory using(double mib, String... pods) {
    var shares = new HashMap<Share, Observation>();
    for (var name : pods) {
      var pod = asking(name, HALF);
      shares.put(
          new Share(pod.namespace(), pod.name(), "GPU-a-0"), new Observation(mib, 100, HALF));
    }
    return new ObservedMemory(NOW, shares);
  }

  private boolean fits(String name, long mib) {
    return ledger.candidates(asking(name, mib), List.of("a"), false, NOW, _ -> 0)
        instanceof Candidates.Nodes;
  }

  @Test
  void aFullCardTakesAnotherPodWhenItsPodsUseLittle() {
    ledger.seen(Nodes.a100("a", 1));
    running("p");
    running("q");
    assertThat(fits("r", 1)).isFalse();

    ledger.memory(ONE_PERCENT, using(4096, "p", "q"));
    assertThat(fits("r", 60_000)).isTrue();
    assertThat(fits("r", 80_000)).as("4,096 MiB twice, and both may rise").isFalse();

    running("r");
    assertThat(fits("s", 40_000)).as("r counts with all that it asks for").isFalse();
    assertThat(ledger.totals().overcommittedMib()).isEqualTo(HALF);
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(3 * HALF);

    ledger.memory(ONE_PERCENT, ObservedMemory.NONE);
    assertThat(fits("s", 1)).isFalse();
  }

  @Test
  void aPodThatWaitsIsAwakenedByWhatWasObserved() {
    ledger.seen(Nodes.a100("a", 1));
    running("p");
    running("q");
    var waiting = asking("r", 20_000);
    ledger.seen(waiting);
    assertThat(ledger.candidates(waiting, List.of("a"), true, NOW, _ -> 0))
        .isInstanceOf(Candidates.Nowhere.class);
    assertThat(ledger.awaken(5, NOW)).isEmpty();

    ledger.memory(ONE_PERCENT, using(4096, "p", "q"));

    assertThat(ledger.awaken(5, NOW)).extracting(PodFacts::name).containsExactly("r");
  }

  @Test
  void whatIsPromisedFollowsPodsAndCardsThatComeAndGo() {
    ledger.memory(ONE_PERCENT, using(4096, "p", "q"));
    running("p");
    running("q");
    ledger.seen(Nodes.a100("a", 1));
    assertThat(fits("r", 60_000)).as("the node came last").isTrue();

    ledger.podGone(asking("q", HALF).uid());
    assertThat(fits("r", 70_000)).isTrue();
    assertThat(fits("r", 81_920)).as("never a whole card beside others").isFalse();
  }
}
