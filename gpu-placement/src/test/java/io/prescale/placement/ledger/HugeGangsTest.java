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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gang of 900 pods, no two of which ask for the same, and of which one is enough; on a hundred
 * nodes each card has room for less than any asks for.
 */
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

  private List<PodFacts> huge(Nearness nearness) {
    var members =
        IntStream.range(0, 900)
            .mapToObj(i -> asking("huge" + i, 60_000 + i))
            .map(pod -> Pods.inGroup(pod, new Group("huge", 1, nearness, false)))
            .toList();
    members.forEach(ledger::seen);
    return members;
  }

  private Candidates ask(PodFacts pod, Instant when) {
    return ledger.candidates(pod, network.nodes, true, when, _ -> 0);
  }

  /** Took minutes, for which all others waited. */
  @ParameterizedTest
  @ValueSource(strings = {"", LAYER_2, "kubernetes.io/hostname"})
  @Timeout(60)
  void stopsNoOtherPod(String level) {
    var members = huge(level.isEmpty() ? Nearness.ANYWHERE : NetworkedLedger.preferred(level));
    members.forEach(pod -> assertThat(ask(pod, NOW).isRefusal()).isTrue());

    ledger.podGone("uid-p-0-0");
    for (int round = 1; round <= 20; round++) {
      ledger.awaken(MANY, NOW.plusMillis(250L * round));
    }

    assertThat(ask(asking("other", 1_000), NOW.plusSeconds(6)))
        .isInstanceOf(Candidates.Nodes.class);
  }

  @Test
  void whatItsSearchesCostIsWaitedForAndThenItGoesOn() {
    var members = huge(NetworkedLedger.preferred("kubernetes.io/hostname"));
    int asked = 0;
    while (!(ask(members.get(asked), NOW) instanceof Candidates.HeldBack)) {
      asked++;
    }
    assertThat(asked).isBetween(1, 10);
    assertThat(((Candidates.HeldBack) ask(members.getLast(), NOW)).sentence())
        .matches("looking for places for group huge took long; it goes on in \\d s");

    ledger.podGone("uid-p-3-5");

    assertThat(ledger.awaken(MANY, NOW)).as("too early").isEmpty();
    assertThat(ledger.awaken(MANY, NOW.plusSeconds(10)).getFirst().name()).startsWith("huge");
  }

  @Test
  void oneOfAnotherKindIsFoundRoomForThoughManyAreRefused() {
    huge(Nearness.ANYWHERE);
    var small =
        Pods.inGroup(asking("small", 1_000), new Group("huge", 1, Nearness.ANYWHERE, false));
    ledger.seen(small);

    assertThat(ask(small, NOW)).isInstanceOf(Candidates.Nodes.class);
  }

  @Test
  void ordinaryGangsAreNeverTooMuch() {
    var gangs =
        IntStream.range(0, 20)
            .mapToObj(i -> network.gang("gang" + i, 8, 8, 8, NetworkedLedger.preferred(LAYER_2)))
            .toList();

    for (int round = 0; round < 4; round++) {
      gangs.stream()
          .flatMap(List::stream)
          .forEach(pod -> assertThat(ask(pod, NOW)).isInstanceOf(Candidates.Nowhere.class));
    }
  }
}
