package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that were refused, on two nodes of which each has one card of 80 GiB. */
class RefusedPodsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String RECORD = "hami.io/vgpu-devices-allocated";
  private static final List<String> NODES = List.of("a", "b");
  private static final int MANY = 100;

  private final Ledger ledger = new Ledger(10);

  @BeforeEach
  void bothNodesAreFull() {
    for (var node : NODES) {
      ledger.seen(Nodes.a100(node, 1));
      ledger.seen(running("old-" + node, node));
    }
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
  }

  private static PodFacts running(String name, String node) {
    return Pods.bound(
        asking(name), node, Map.of(RECORD, "GPU-%s-0,NVIDIA,80000,0:;".formatted(node)));
  }

  private static PodFacts asking(String name) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 80_000L));
  }

  private PodFacts refused(PodFacts pod) {
    return refused(pod, NODES);
  }

  private PodFacts refused(PodFacts pod, List<String> nodes) {
    ledger.seen(pod);
    assertThat(ledger.candidates(pod, nodes, true, NOW, _ -> 0))
        .isInstanceOf(Candidates.Nowhere.class);
    return pod;
  }

  @Test
  void wakesAsManyAsThereIsRoomForAndKeepsThePlaces() {
    var pods = IntStream.range(0, 3).mapToObj(i -> refused(asking("p" + i))).toList();
    assertThat(ledger.totals().refused()).isEqualTo(3);

    ledger.podGone("uid-old-a");

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pods.get(0));
    assertThat(ledger.totals().refused()).isEqualTo(2);
    refused(asking("newcomer"));
    assertThat(ledger.candidates(pods.get(0), NODES, true, NOW, _ -> 0))
        .isEqualTo(new Candidates.Nodes(List.of("a")));
  }

  @Test
  void wakesNobodyWhoStillDoesNotFit() {
    ledger.seen(Pods.bound(asking("old-a"), "a", Map.of(RECORD, "GPU-a-0,NVIDIA,80000,0:;")));
    refused(asking("p"));

    ledger.seen(Nodes.a100("c", 1, Map.of("hami.io/device-cordon", "GPU-c-0")));
    ledger.podGone("uid-unknown");

    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
  }

  @Test
  void wakesForANewNodeAndForACardThatIsWellAgain() {
    var first = refused(asking("first"));
    var second = refused(asking("second"));

    ledger.seen(Nodes.a100("c", 1, Map.of("hami.io/device-cordon", "GPU-c-0")));
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
    ledger.seen(Nodes.a100("c", 1));
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(first);
    ledger.seen(Nodes.a100("d", 1));
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(second);
  }

  @Test
  void namesAPodOnceUntilItIsRefusedAgain() {
    var pod = refused(asking("p"));
    ledger.podGone("uid-old-a");
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pod);

    ledger.podGone("uid-old-b");

    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
  }

  @Test
  void whatAWokenPodDoesNotTakeGoesToTheNext() {
    var first = refused(asking("first"));
    var second = refused(asking("second"));
    ledger.podGone("uid-old-a");
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(first);
    assertThat(ledger.awaken(MANY, NOW.plusSeconds(10))).isEmpty();

    assertThat(ledger.awaken(MANY, NOW.plus(Offers.WOKEN).plusSeconds(1))).containsExactly(second);
  }

  @Test
  void doesNotWakeAPodTwiceForANodeOnWhichItMayNotBe() {
    var pod = refused(asking("p"), List.of("b"));
    ledger.podGone("uid-old-a");
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pod);

    // Taints or an affinity keep it from node a, which the scheduler does not ask about.
    refused(pod, List.of("b"));
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
    ledger.seen(Nodes.a100("a", 2));
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();

    ledger.podGone("uid-old-b");
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pod);
  }

  @Test
  void theMoreImportantPodIsWokenFirst() {
    refused(asking("usual"));
    var important = refused(Pods.withPriority(asking("important"), 7));

    ledger.podGone("uid-old-a");

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(important);
  }

  @Test
  void wakesTheRestNextTimeWhenItMayNotWakeAll() {
    var first = refused(asking("first"));
    var second = refused(asking("second"));
    ledger.podGone("uid-old-a");
    ledger.podGone("uid-old-b");

    assertThat(ledger.awaken(1, NOW)).containsExactly(first);
    assertThat(ledger.awaken(1, NOW)).containsExactly(second);
    assertThat(ledger.awaken(1, NOW)).isEmpty();
  }

  @Test
  void aPodThatCouldNotBeToldIsNamedAgain() {
    var pod = refused(asking("p"));
    ledger.podGone("uid-old-a");
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pod);

    ledger.notWoken(pod);

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pod);
    ledger.podGone(pod.uid());
    ledger.notWoken(pod);
    assertThat(ledger.awaken(MANY, NOW)).as("it is gone").isEmpty();
  }

  @Test
  void aReplicaThatDidNotRefuseThePodItselfWakesItToo() {
    var pod = asking("p");
    ledger.seen(pod);
    ledger.wasRefused(pod);

    ledger.podGone("uid-old-b");

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pod);
  }

  @Test
  void aGroupIsWokenWhenItsLastMemberComesAndWhenThereIsRoomForAll() {
    var one = refused(Pods.inGroup(asking("one"), "g", 2));
    var two = refused(Pods.inGroup(asking("two"), "g", 2));
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();

    ledger.podGone("uid-old-a");
    assertThat(ledger.awaken(MANY, NOW)).as("room for one of two").isEmpty();
    ledger.podGone("uid-old-b");
    assertThat(ledger.awaken(MANY, NOW)).containsExactlyInAnyOrder(one, two);

    var half = refused(Pods.inGroup(asking("half"), "h", 2));
    ledger.podGone(one.uid());
    ledger.podGone(two.uid());
    assertThat(ledger.awaken(MANY, NOW)).as("one of two is there").isEmpty();
    ledger.seen(Pods.inGroup(asking("other-half"), "h", 2));
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(half);
  }

  @Test
  void whatMakesNoSenseIsNeverWoken() {
    refused(Pods.asking("mad", Map.of("nvidia.com/gpu", -1L)));

    ledger.podGone("uid-old-a");

    assertThat(ledger.totals().refused()).isZero();
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
  }

  @Test
  void nobodyIsForgottenWhilePodsComeAndGo() {
    var running = new HashMap<String, String>(Map.of("uid-old-a", "a", "uid-old-b", "b"));
    var waiting = IntStream.range(0, 50).mapToObj(i -> refused(asking("p" + i))).toList();
    for (int round = 0; round < waiting.size(); round++) {
      var leaving = running.keySet().iterator().next();
      running.remove(leaving);
      ledger.podGone(leaving);
      var awake = ledger.awaken(MANY, NOW);
      assertThat(awake).as("round " + round).hasSize(1);
      var found = (Candidates.Nodes) ledger.candidates(awake.getFirst(), NODES, true, NOW, _ -> 0);
      var node = found.best().getFirst();
      assertThat(ledger.decide(awake.getFirst().uid(), node, NOW))
          .isInstanceOf(Decision.Bind.class);
      ledger.seen(running(awake.getFirst().name(), node));
      running.put(awake.getFirst().uid(), node);
    }
    assertThat(ledger.totals().refused()).isZero();
  }
}
