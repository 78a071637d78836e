package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.GPU;
import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.RECORD;
import static io.prescale.placement.ledger.QueuedNode.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.Quota;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which pods leave node a for a pod of priority 10, on nodes with two cards each. */
class PreemptionTest {
  private final Ledger ledger = new Ledger(10);

  PreemptionTest() {
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(Nodes.a100("b", 2));
  }

  private static PodFacts important(String name, long cards) {
    return Pods.withPriority(Pods.asking(name, Map.of("nvidia.com/gpu", cards)), 10);
  }

  /** A pod with a card of a node. */
  private static PodFacts on(String node, int card, String name, Map<String, String> more) {
    var record = "GPU-%s-%d,NVIDIA,81920,100:;".formatted(node, card);
    var annotations = new HashMap<>(more);
    annotations.put(RECORD, record);
    return Pods.bound(Pods.asking(name, Map.of("nvidia.com/gpu", 1L)), node, annotations);
  }

  private static PodFacts member(String node, int card, String name, int size) {
    return Pods.inGroup(on(node, card, name, Map.of()), "train", size);
  }

  private static PodFacts member(String node, int card, String name, String gang) {
    return Pods.inGroup(on(node, card, name, Map.of()), gang, 2);
  }

  private Optional<List<String>> victims(PodFacts pod, String... given) {
    return Victims.on(ledger, pod, "a", List.of(given), Set.of());
  }

  private static PodFacts small(String name, int priority, String record) {
    var pod = Pods.asking(name, Map.of("nvidia.com/gpu", 1L));
    return Pods.withPriority(Pods.bound(pod, "a", Map.of(RECORD, record)), priority);
  }

  private static PodFacts part(String name, long memory) {
    return Pods.withPriority(
        Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", memory)), 10);
  }

  @Test
  void noMoreLeaveThanMustAndNoneThatIsAsImportant() {
    ledger.seen(small("small", 1, "GPU-a-0,NVIDIA,20000,0:;"));
    ledger.seen(small("large", 5, "GPU-a-0,NVIDIA,60000,0:;"));
    ledger.seen(small("peer", 10, "GPU-a-1,NVIDIA,81920,0:;"));

    assertThat(victims(part("p", 50_000))).contains(List.of("uid-large"));
    assertThat(victims(part("p", 50_000), "uid-large")).contains(List.of("uid-large"));
    assertThat(victims(part("p", 90_000))).isEmpty();
  }

  /** Of nodes, it takes the one where the first of the victims is the least important. */
  @Test
  void theMostImportantOfThoseThatLeaveIsFirst() {
    ledger.seen(small("low", 1, "GPU-a-0,NVIDIA,81920,0:;"));
    ledger.seen(small("high", 5, "GPU-a-1,NVIDIA,81920,0:;"));

    assertThat(victims(important("p", 2), "uid-low")).contains(List.of("uid-high", "uid-low"));
    assertThat(victims(important("p", 2))).contains(List.of("uid-high", "uid-low"));
  }

  @Test
  void aGangWithPodsElsewhereStaysAndOneThatIsHereLeavesWhole() {
    ledger.seen(member("a", 0, "m0", 2));
    ledger.seen(member("b", 0, "m1", 2));
    ledger.seen(on("a", 1, "alone", Map.of()));

    assertThat(victims(important("p", 1))).contains(List.of("uid-alone"));
    assertThat(victims(important("p", 2))).isEmpty();
    assertThat(victims(important("p", 1), "uid-m0")).as("as kube-scheduler would").isEmpty();

    ledger.podGone("uid-m1");
    ledger.podGone("uid-alone");
    ledger.seen(member("a", 1, "m1", 2));
    assertThat(victims(important("p", 1))).contains(List.of("uid-m0", "uid-m1"));
    assertThat(victims(important("p", 1), "uid-m1")).contains(List.of("uid-m1", "uid-m0"));
  }

  /** As the leader and the workers of a LeaderWorkerSet are. */
  @Test
  void membersThatSayDifferentThingsOfTheirGangAreOneGang() {
    var leader = new Group("train", 2, Nearness.ANYWHERE, true);
    ledger.seen(Pods.inGroup(on("a", 0, "leader", Map.of()), leader));
    ledger.seen(member("b", 0, "worker", 2));
    ledger.seen(on("a", 1, "alone", Map.of()));

    assertThat(victims(important("p", 1))).contains(List.of("uid-alone"));
    assertThat(victims(important("p", 2))).isEmpty();
  }

  @Test
  void whatAGangHasBeyondItsSizeLeavesAlone() {
    ledger.seen(member("a", 0, "m0", 2));
    ledger.seen(member("a", 1, "m1", 2));
    ledger.seen(member("b", 0, "m2", 2));

    assertThat(victims(important("p", 1))).contains(List.of("uid-m0"));
    assertThat(victims(important("p", 2))).isEmpty();
  }

  /** A pod with a small part of a card. */
  private static PodFacts beside(int card, String name, String gang, int size) {
    var record = "GPU-a-%d,NVIDIA,10000,0:;".formatted(card);
    return Pods.inGroup(small(name, 0, record), gang, size);
  }

  /** Two of the three pods could only leave with the third, which does not help. */
  @Test
  void ofAGangOneLeavesInsteadOfAllWhereThatSuffices() {
    ledger.seen(small("stays", 10, "GPU-a-1,NVIDIA,10000,0:;"));
    ledger.seen(beside(1, "m0", "train", 2));
    ledger.seen(beside(0, "m1", "train", 2));
    ledger.seen(beside(1, "m2", "train", 2));

    assertThat(victims(important("p", 1))).contains(List.of("uid-m1"));
  }

  /** One pod of each gang may leave; the first ones are on the card that stays in use. */
  @Test
  void ofTwoGangsThosePodsLeaveThatMakeRoom() {
    ledger.seen(Nodes.a100("a", 3));
    ledger.seen(small("stays", 10, "GPU-a-2,NVIDIA,10000,0:;"));
    ledger.seen(beside(2, "p0", "g1", 2));
    ledger.seen(beside(0, "p1", "g1", 2));
    ledger.seen(member("b", 0, "q1", "g1"));
    ledger.seen(beside(2, "p2", "g2", 2));
    ledger.seen(beside(1, "p3", "g2", 2));
    ledger.seen(member("b", 1, "q2", "g2"));
    var two = important("two", 2);

    assertThat(victims(two, "uid-p1", "uid-p3")).contains(List.of("uid-p1", "uid-p3"));
    assertThat(victims(two)).contains(List.of("uid-p1", "uid-p3"));
    assertThat(victims(two, "uid-p0")).as("then p1 has to stay").isEmpty();
  }

  /** A leader without cards, as many have. */
  @Test
  void aMemberWithoutCardsLeavesWithItsGang() {
    var leader = Pods.inGroup(Pods.asking("leader", Map.of()), "train", 2);
    ledger.seen(Pods.bound(leader, "a", Map.of()));
    ledger.seen(Pods.bound(Pods.asking("daemon", Map.of()), "a", Map.of()));
    ledger.seen(member("a", 0, "worker", 2));
    ledger.seen(small("stays", 10, "GPU-a-1,NVIDIA,10000,0:;"));

    assertThat(victims(important("p", 1))).contains(List.of("uid-leader", "uid-worker"));
    ledger.seen(Pods.bound(leader, "b", Map.of()));
    assertThat(victims(important("p", 1))).isEmpty();
  }

  @Test
  void aPodThatSaysNeverStays() {
    ledger.seen(on("a", 0, "kept", Map.of("gpu.prescale.io/reclaim", "never")));
    ledger.seen(on("a", 1, "other", Map.of()));

    assertThat(victims(important("p", 1))).contains(List.of("uid-other"));
    assertThat(victims(important("p", 2))).isEmpty();
    assertThat(victims(important("p", 1), "uid-kept")).isEmpty();
  }

  /** Batch is guaranteed two of the eight cards of a node that it fills. */
  @Test
  void ofAnotherQueueOnlyWhatItHasBeyondItsGuaranteeLeavesUnlessItGivesBackByNotice() {
    var node = new QueuedNode();
    node.ledger.queues(
        List.of(
            queue("serving", Quota.train(6 * GPU, 1)), queue("batch", Quota.train(2 * GPU, 1))));
    assertThat(node.bindAll(node.waiting("batch", 8), NOW)).isEqualTo(8);
    var six = Pods.inQueue(important("six", 6), "serving", NOW);
    var seven = Pods.inQueue(important("seven", 7), "serving", NOW);

    assertThat(Victims.on(node.ledger, six, "a", List.of(), Set.of()).orElseThrow()).hasSize(6);
    assertThat(Victims.on(node.ledger, seven, "a", List.of(), Set.of())).isEmpty();
    assertThat(Victims.on(node.ledger, six, "a", List.of(), Set.of("batch"))).isEmpty();
    var own = Pods.inQueue(important("own", 7), "batch", NOW);
    assertThat(Victims.on(node.ledger, own, "a", List.of(), Set.of("batch")).orElseThrow())
        .as("by priority alone")
        .hasSize(7);
  }

  /** Batch is guaranteed eight of ten cards and has all; two of its pods are on another node. */
  @Test
  void whatAQueueMayGiveIsTheSameForEveryNodeThatIsAskedAbout() {
    var node = new QueuedNode();
    node.ledger.seen(Nodes.a100("b", 2));
    node.ledger.queues(
        List.of(
            queue("serving", Quota.train(2 * GPU, 1)), queue("batch", Quota.train(8 * GPU, 1))));
    assertThat(node.bindAll(node.waiting("batch", 8), NOW)).isEqualTo(8);
    node.ledger.seen(Pods.inQueue(on("b", 0, "x", Map.of()), "batch", NOW));
    node.ledger.seen(Pods.inQueue(on("b", 1, "y", Map.of()), "batch", NOW));
    var two = Pods.inQueue(important("two", 2), "serving", NOW);

    assertThat(node.ledger.victims(two, Map.of("a", List.of(), "b", List.of()), Set.of()))
        .containsOnlyKeys("a", "b")
        .allSatisfy((_, uids) -> assertThat(uids).hasSize(2));
  }

  /** Batch is guaranteed four of ten cards and has all; two of its pods are on another node. */
  @Test
  void whatIsLeavingAnotherQueueCountsAsGivenUntilItHasEnded() {
    var node = new QueuedNode();
    node.ledger.seen(Nodes.a100("b", 2));
    node.ledger.queues(
        List.of(
            queue("serving", Quota.train(6 * GPU, 1)), queue("batch", Quota.train(4 * GPU, 1))));
    assertThat(node.bindAll(node.waiting("batch", 8), NOW)).isEqualTo(8);
    var others =
        List.of("x", "y").stream()
            .map(it -> Pods.inQueue(on("b", it.equals("x") ? 0 : 1, it, Map.of()), "batch", NOW))
            .toList();
    others.forEach(node.ledger::seen);
    var six = Pods.inQueue(important("six", 6), "serving", NOW);
    var five = Pods.inQueue(important("five", 5), "serving", NOW);

    assertThat(Victims.on(node.ledger, six, "a", List.of(), Set.of()).orElseThrow()).hasSize(6);
    others.forEach(it -> node.ledger.seen(Pods.leaving(it)));
    assertThat(Victims.on(node.ledger, six, "a", List.of(), Set.of()))
        .as("as another preemptor has taken two of the six")
        .isEmpty();
    var eighth = node.bound.getLast();
    node.ledger.seen(Pods.leaving(eighth));
    assertThat(Victims.on(node.ledger, five, "a", List.of(), Set.of()))
        .as("three that stay, and one that leaves anyhow")
        .isEmpty();
    assertThat(Victims.on(node.ledger, five, "a", List.of("uid-batch7", "uid-batch0"), Set.of()))
        .isEmpty();
    others.forEach(it -> node.ledger.podGone(it.uid()));
    var four = Pods.inQueue(important("four", 4), "serving", NOW);
    assertThat(Victims.on(node.ledger, four, "a", List.of(), Set.of()).orElseThrow())
        .containsExactlyInAnyOrder("uid-batch0", "uid-batch1", "uid-batch2", eighth.uid());
  }

  /** Each is owed four of eight cards; batch has five, serving three. */
  @Test
  void aQueueTakesFromAnotherOnlyWhatItIsOwed() {
    var node = new QueuedNode();
    node.ledger.queues(
        List.of(queue("serving", Quota.train(GPU, 1)), queue("batch", Quota.train(GPU, 1))));
    assertThat(node.bindAll(node.waiting("batch", 5), NOW)).isEqualTo(5);
    assertThat(node.bindAll(node.waiting("serving", 3), NOW)).isEqualTo(3);
    var one = Pods.inQueue(important("one", 1), "serving", NOW);
    var two = Pods.inQueue(important("two", 5), "serving", NOW);

    assertThat(Victims.on(node.ledger, one, "a", List.of(), Set.of()).orElseThrow()).hasSize(1);
    assertThat(Victims.on(node.ledger, two, "a", List.of(), Set.of()))
        .as("four of its own and one of batch would do, but it would have five")
        .isEmpty();
  }
}
