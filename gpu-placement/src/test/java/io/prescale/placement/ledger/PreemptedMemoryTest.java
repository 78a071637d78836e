package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.overcommit.BoundedRisk;
import io.prescale.placement.overcommit.BoundedRisk.Dependence;
import io.prescale.placement.overcommit.ObservedMemory;
import io.prescale.placement.overcommit.ObservedMemory.Observation;
import io.prescale.placement.overcommit.ObservedMemory.Share;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which pods leave a node whose cards, of 81,920 MiB, promise more than they have. */
class PreemptedMemoryTest {
  private static final int IMPORTANT = 10;

  private final Ledger ledger = new Ledger(10);
  private final Map<Share, Observation> used = new HashMap<>();

  private static PodFacts asking(String name, long cards, long mib, int priority) {
    var asks = Map.of("nvidia.com/gpu", cards, "nvidia.com/gpumem", mib);
    return Pods.withPriority(Pods.asking(name, asks), priority);
  }

  private PodFacts running(String name, int card, int mib, int priority) {
    var record = "GPU-a-%d,NVIDIA,%d,0:;".formatted(card, mib);
    var pod = Pods.bound(asking(name, 1, mib, priority), "a", Map.of(RECORD, record));
    ledger.seen(pod);
    return pod;
  }

  /** Each has been seen to use 4 GiB. */
  private void observe(PodFacts pod, int card, int mib) {
    var share = new Share(pod.namespace(), pod.name(), "GPU-a-" + card);
    used.put(share, new Observation(4096, 100, mib));
    ledger.memory(new BoundedRisk(10_000, Dependence.ANY), new ObservedMemory(NOW, used));
  }

  private Optional<List<String>> victims(PodFacts pod, String... given) {
    return Victims.on(ledger, pod, "a", List.of(given), Set.of());
  }

  @Test
  void aCardThatHasRoomBecauseOfWhatItsPodsUseNeedsNoPodToLeave() {
    ledger.seen(Nodes.a100("a", 2));
    observe(running("stays", 0, 60_000, IMPORTANT), 0, 60_000);
    observe(running("c", 0, 20_000, 0), 0, 20_000);
    running("b", 1, 81_920, 0);
    var pair = asking("pair", 2, 30_000, IMPORTANT);

    assertThat(victims(pair, "uid-b")).contains(List.of("uid-b"));
    assertThat(victims(pair)).contains(List.of("uid-b"));
    assertThat(victims(pair, "uid-c")).as("c leaves anyhow").contains(List.of("uid-c", "uid-b"));
  }

  @Test
  void thePodsThatStayCountWithWhatTheyUse() {
    ledger.seen(Nodes.a100("a", 1));
    observe(running("stays", 0, 60_000, IMPORTANT), 0, 60_000);
    running("c", 0, 60_000, 0);

    assertThat(victims(asking("p", 1, 30_000, IMPORTANT))).contains(List.of("uid-c"));
  }

  @Test
  void whatAPodWillHaveForThisReasonIsKeptForIt() {
    ledger.seen(Nodes.a100("a", 1));
    observe(running("stays", 0, 60_000, IMPORTANT), 0, 60_000);
    ledger.seen(Pods.leaving(running("c", 0, 60_000, 0)));
    var low = asking("low", 1, 10_000, 0);
    assertThat(ledger.candidates(low, List.of("a"), false, NOW, _ -> 0))
        .as("beside c, which has not ended")
        .isInstanceOf(Candidates.Nodes.class);

    ledger.seen(Pods.nominated(asking("p", 1, 30_000, IMPORTANT), "a"));

    assertThat(ledger.candidates(low, List.of("a"), false, NOW, _ -> 0))
        .isEqualTo(new Candidates.Nowhere(Map.of("a", "keeps cards for other pods"), Set.of()));
  }
}
