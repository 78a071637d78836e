package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.NetworkedLedger.LAYER_2;
import static io.prescale.placement.ledger.NetworkedLedger.NOW;
import static io.prescale.placement.ledger.NetworkedLedger.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gangs of 900 pods; on a hundred nodes each card has room for less than any pod asks for. */
class HugeGangsTest {
  private static final int MANY = 80;

  private final NetworkedLedger network = new NetworkedLedger();
  private final Ledger ledger = network.ledger;

  @BeforeEach
  void everyCardIsHalfHeld() {
    for (int node = 0; node < 100; node++) {
      var name = "n" + node;
      network.node(name, 8, "z" + node % 10, "l" + node % 50);
      for (int card = 0; card < 8; card++) {
        var record = Map.of(RECORD, "GPU-%s-%d,NVIDIA,40000,0:;".formatted(name, card));
        ledger.seen(Pods.bound(asking("p-%d-%d".formatted(node, card), 40_000), name, record));
      }
    }
  }

  private static PodFacts asking(String name, long mib) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", mib));
  }

  /** Of which one is enough. */
  private List<PodFacts> huge(int kinds, Nearness nearness) {
    var members =
        IntStream.range(0, 900)
            .mapToObj(i -> asking("huge" + i, 60_000 + i % kinds))
            .map(pod -> Pods.inGroup(pod, new Group("huge", 1, nearness, false)))
            .toList();
    members.forEach(ledger::seen);
    return members;
  }

  private Candidates ask(PodFacts pod, Instant when) {
    return ledger.candidates(pod, network.nodes, true, when, _ -> 0);
  }

  private static Instant after(int millis) {
    return NOW.plusMillis(millis);
  }

  /** Took minutes, for which all others waited. */
  @ParameterizedTest
  @CsvSource({
    "900, ''",
    "900, kubernetes.io/hostname",
    "16, " + LAYER_2,
    "16, kubernetes.io/hostname"
  })
  @Timeout(60)
  void stopNoOtherPod(int kinds, String level) {
    var near = level.isEmpty() ? Nearness.ANYWHERE : NetworkedLedger.preferred(level);
    var members = huge(kinds, near);
    for (int i = 0; i < members.size(); i++) {
      assertThat(ask(members.get(i), after(i)).isRefusal()).isTrue();
    }

    ledger.podGone("uid-p-0-0");
    for (int round = 1; round <= 20; round++) {
      ledger.awaken(MANY, after(1_000 + 250 * round));
    }

    assertThat(ask(asking("other", 1_000), after(7_000))).isInstanceOf(Candidates.Nodes.class);
  }

  @Test
  void ofTooManyDifferentPodsAreRefused() {
    var members = huge(17, Nearness.ANYWHERE);

    assertThat(((Candidates.Nowhere) ask(members.getFirst(), NOW)).summary())
        .isEqualTo(
            "100 nodes: the pods of group huge ask for 17 different things; pods that ask for at"
                + " most 16 are placed together");
  }

  @Test
  void waitForWhatTheirSearchesCostAndGoOn() {
    var members = huge(16, NetworkedLedger.preferred("kubernetes.io/hostname"));
    int asked = 0;
    while (!(ask(members.get(asked), after(asked)) instanceof Candidates.HeldBack)) {
      asked++;
    }
    assertThat(asked).isBetween(2, 10);
    assertThat(((Candidates.HeldBack) ask(members.getLast(), after(asked + 1))).sentence())
        .matches(
            "there is no room for all pods of group huge; after long searches, it is looked at"
                + " again in \\d s");

    ledger.podGone("uid-p-3-5");

    assertThat(ledger.awaken(MANY, after(asked + 2))).as("too early").isEmpty();
    assertThat(ledger.awaken(MANY, NOW.plusSeconds(10)).getFirst().name()).startsWith("huge");
  }

  /** As when the pod's affinity excludes the node with the room. */
  @Test
  void areNotWokenAgainForAPlaceThatTheSchedulerDoesNotConsider() {
    var members = huge(16, NetworkedLedger.preferred("kubernetes.io/hostname"));
    var others = network.nodes.stream().filter(it -> !it.equals("n3")).toList();
    for (int i = 0; i < 20; i++) {
      ledger.candidates(members.get(i), others, true, after(i), _ -> 0);
    }
    ledger.podGone("uid-p-3-5");

    int wakes = 0;
    for (int second = 10; second < 110; second++) {
      for (var woken : ledger.awaken(MANY, NOW.plusSeconds(second))) {
        wakes++;
        ledger.candidates(woken, others, true, NOW.plusSeconds(second).plusMillis(1), _ -> 0);
      }
    }

    assertThat(wakes).isBetween(1, 25);
  }

  @Test
  void ordinaryOnesAreNeverTooMuch() {
    var gangs =
        IntStream.range(0, 20)
            .mapToObj(i -> network.gang("gang" + i, 8, 8, 8, NetworkedLedger.preferred(LAYER_2)))
            .toList();

    for (int round = 0; round < 4; round++) {
      var when = NOW.plusSeconds(round);
      gangs.stream()
          .flatMap(List::stream)
          .forEach(pod -> assertThat(ask(pod, when)).isInstanceOf(Candidates.Nowhere.class));
    }
  }
}
