package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.GPU;
import static io.prescale.placement.ledger.QueuedNode.NODES;
import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.asking;
import static io.prescale.placement.ledger.QueuedNode.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods of queues on one node with eight cards of 80 GiB. */
class QueuesInLedgerTest {
  private static final Instant LATER = NOW.plus(QueueAccounts.AWAITED);
  private static final int MANY = 100;

  private final QueuedNode node = new QueuedNode();
  private final Ledger ledger = node.ledger;

  private QueueState state(String name) {
    return ledger.queues().stream()
        .filter(queue -> queue.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void withoutQueuesALabelMeansNothing() {
    assertThat(node.bindAll(node.waiting("any", 9), NOW)).isEqualTo(8);
    assertThat(ledger.queues()).isEmpty();
  }

  @Test
  void aQueueAtItsLimitWaitsWithAReasonAndGoesOnWhenOneOfItsPodsEnds() {
    ledger.queues(List.of(queue("team", Quota.train(1 * GPU, 1).withLimit(2 * GPU))));
    var pods = node.waiting("team", 3);

    assertThat(node.bindAll(pods.subList(0, 2), NOW)).isEqualTo(2);
    assertThat(node.ask(pods.get(2), NOW))
        .isEqualTo(
            new Candidates.HeldBack("queue team has 2 of at most 2 cards, and the pod asks for 1"));
    assertThat(state("team").usedMilli()).isEqualTo(2 * GPU);
    assertThat(state("team").borrowedMilli()).isEqualTo(GPU);
    assertThat(state("team").waiting()).isEqualTo(1);
    assertThat(state("team").oldest()).contains(NOW);
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();

    ledger.podGone(pods.get(0).uid());

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pods.get(2));
    assertThat(node.bind(pods.get(2), NOW)).isTrue();
    assertThat(state("team").waiting()).isZero();
  }

  /** A pod for two cards of one node waits for queue b; queue a is owed nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPodThatFitsNowhereHoldsNoOtherBackWhoseOwnPlaceIsLookedForAgain(boolean areCounted) {
    var ledger = new Ledger(10);
    var nodes = List.of("n0", "n1");
    nodes.forEach(name -> ledger.seen(areCounted ? Nodes.plain(name, 1) : Nodes.a100(name, 1)));
    ledger.queues(List.of(queue("a", Quota.train(0, 1)), queue("b", Quota.train(2 * GPU, 1))));
    var two = Pods.inQueue(Pods.asking("two", Map.of("nvidia.com/gpu", 2L)), "b", NOW);
    var one = Pods.inQueue(Pods.asking("one", Map.of("nvidia.com/gpu", 1L)), "a", NOW);
    ledger.seen(two);
    ledger.seen(one);
    assertThat(ledger.candidates(two, nodes, true, NOW, _ -> 0))
        .isInstanceOf(Candidates.Nowhere.class);

    for (int question = 0; question < 5; question++) {
      assertThat(ledger.candidates(one, nodes, true, NOW, _ -> 0))
          .isInstanceOf(Candidates.Nodes.class);
    }

    assertThat(ledger.decide(one.uid(), ledger.shortlist(one.uid()).getLast(), NOW))
        .isInstanceOf(Decision.Bind.class);
  }

  @Test
  void aDryRunAndAPodThatIsBoundWithoutAnOfferKeepToTheLimitToo() {
    ledger.queues(List.of(queue("team", Quota.build(GPU))));
    var pods = node.waiting("team", 2);
    assertThat(node.bind(pods.get(0), NOW)).isTrue();

    assertThat(ledger.candidates(pods.get(1), NODES, false, NOW, _ -> 0))
        .isInstanceOf(Candidates.HeldBack.class);
    assertThat(ledger.decide(pods.get(1).uid(), "a", NOW)).isInstanceOf(Decision.Refused.class);
  }

  @Test
  void aPodOfAnUnknownQueueIsRefusedUntilTheQueueIsThere() {
    ledger.queues(List.of(queue("team", Quota.train(0, 1))));
    var pod = node.waiting("lost", 1).getFirst();

    assertThat(node.ask(pod, NOW))
        .isEqualTo(
            new Candidates.HeldBack(
                "queue lost is not in force or has children; name another one, or create or mend"
                    + " it"));
    ledger.queues(List.of(queue("team", Quota.train(0, 1)), queue("lost", Quota.train(0, 1))));

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pod);
  }

  @Test
  void podsWithoutLabelAreOfTheirNamespacesQueueElseOfTheDefaultOne() {
    ledger.queues(List.of(queue("team", Quota.build(GPU)), queue("default", Quota.train(0, 1))));
    var pods =
        IntStream.range(0, 2).mapToObj(i -> Pods.asking("p" + i, Map.of("nvidia.com/gpu", 1L)));
    var list = pods.peek(ledger::seen).toList();

    assertThat(node.ask(list.get(0), NOW)).isInstanceOf(Candidates.Nodes.class);
    assertThat(state("default").usedMilli()).isEqualTo(GPU);
    ledger.queueNamed("default", Optional.of("team"));

    assertThat(state("default").usedMilli()).isZero();
    assertThat(state("team").usedMilli()).isEqualTo(GPU);
    assertThat(node.ask(list.get(1), NOW)).isInstanceOf(Candidates.HeldBack.class);
  }

  /** As Kueue's LocalQueues do; pods may be seen before them. */
  @Test
  void aNameOfANamespaceStandsForTheQueueThatItIsSaidToBe() {
    ledger.queues(List.of(queue("team", Quota.build(GPU)), queue("default", Quota.train(0, 1))));
    var pod = Pods.inQueue(Pods.asking("p", Map.of("nvidia.com/gpu", 1L)), "default/users", NOW);
    ledger.seen(pod);
    assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.HeldBack.class);

    ledger.queueNamed("default/users", Optional.of("team"));
    assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.Nodes.class);
    assertThat(state("team").usedMilli()).isEqualTo(GPU);
    assertThat(state("default").usedMilli()).isZero();

    ledger.queueNamed("default/users", Optional.empty());
    assertThat(state("default").usedMilli()).isEqualTo(GPU);
  }

  /** kube-scheduler asks about all pods of the first queue before it asks about the others. */
  @Test
  void aQueueDoesNotTakeWhatAnotherIsOwedWhosePodsWait() {
    ledger.queues(
        List.of(queue("a", Quota.train(2 * GPU, 1)), queue("b", Quota.train(4 * GPU, 1))));
    var first = node.waiting("a", 8);
    var second = node.waiting("b", 8);

    assertThat(node.bindAll(first, NOW)).isEqualTo(3);
    assertThat(node.ask(first.get(3), NOW))
        .isEqualTo(
            new Candidates.HeldBack(
                "queue a has 3 of the 3 cards that it is owed, and queue b, which waits, 0 of 5"));
    assertThat(node.bindAll(second, NOW)).isEqualTo(5);
    assertThat(ledger.awaken(MANY, NOW)).as("all cards are given").isEmpty();
  }

  @Test
  void whatNoOtherQueueAsksForIsLent() {
    ledger.queues(
        List.of(queue("a", Quota.train(2 * GPU, 1)), queue("b", Quota.train(4 * GPU, 1))));

    assertThat(node.bindAll(node.waiting("a", 8), NOW)).isEqualTo(8);
    assertThat(state("a").borrowedMilli()).isEqualTo(6 * GPU);
  }

  /** A pod that the scheduler never asks about, for instance because of its affinity. */
  @Test
  void aPodThatIsNeverAskedAboutHoldsOthersBackForAWhileOnly() {
    ledger.queues(List.of(queue("a", Quota.train(0, 1)), queue("b", Quota.train(8 * GPU, 1))));
    node.waiting("b", 8);
    var pod = node.waiting("a", 1).getFirst();

    assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.HeldBack.class);
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
    assertThat(ledger.awaken(MANY, LATER)).containsExactly(pod);
  }

  /** Only what has room holds others back: eight cards are never free while one pod runs. */
  @Test
  void aClaimWithoutRoomKeepsNoOtherQueueWaiting() {
    ledger.queues(List.of(queue("a", Quota.train(0, 1)), queue("b", Quota.train(8 * GPU, 1))));
    node.bind(node.waiting("a", 1).getFirst(), NOW);
    var large = Pods.inQueue(Pods.asking("large", Map.of("nvidia.com/gpu", 8L)), "b", NOW);
    ledger.seen(large);
    assertThat(node.ask(large, NOW)).isInstanceOf(Candidates.Nowhere.class);
    ledger.awaken(MANY, NOW);
    var pod = asking("late", "a");
    ledger.seen(pod);

    assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.Nodes.class);
  }

  /** Each second the pod that ran longest ends, and what is woken takes its card. */
  @Test
  void queuesTakeTurnsUnderChurnAsTheirWeightsSay() {
    ledger.queues(List.of(queue("a", Quota.train(0, 3)), queue("b", Quota.train(0, 1))));
    node.bindAll(node.waiting("a", 60), NOW);
    node.bindAll(node.waiting("b", 60), NOW);
    var now = NOW;
    for (int second = 0; second < 40; second++) {
      now = now.plusSeconds(1);
      ledger.podGone(node.bound.removeFirst().uid());
      var woken = ledger.awaken(MANY, now);
      assertThat(woken).hasSize(1);
      assertThat(node.bind(woken.getFirst(), now)).isTrue();
      assertThat(state("a").usedMilli()).as("second %d", second).isBetween(5L * GPU, 7L * GPU);
    }
    assertThat(state("a").usedMilli()).isEqualTo(6 * GPU);
    assertThat(state("b").usedMilli()).isEqualTo(2 * GPU);
  }

  @Test
  void aGangBeyondItsLimitHoldsNothingAndSaysWhy() {
    ledger.queues(List.of(queue("team", Quota.build(2 * GPU))));
    var members =
        IntStream.range(0, 3)
            .mapToObj(i -> Pods.inQueue(Pods.inGroup(asking("g" + i, "team"), "g", 3), "team", NOW))
            .peek(ledger::seen)
            .toList();

    assertThat(node.ask(members.getFirst(), NOW))
        .isEqualTo(
            new Candidates.HeldBack("queue team has 0 of at most 2 cards, and group g asks for 3"));
    assertThat(state("team").usedMilli()).isZero();
    assertThat(state("team").waiting()).isEqualTo(3);
  }

  @Test
  void sharesCountByTheLargerPartOfMemoryAndCompute() {
    ledger.queues(List.of(queue("team", Quota.build(500))));
    var half =
        Pods.inQueue(
            Pods.asking("half", Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 40_960L)),
            "team",
            NOW);
    var more =
        Pods.inQueue(
            Pods.asking("more", Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 1_024L)),
            "team",
            NOW);

    assertThat(node.ask(half, NOW)).isInstanceOf(Candidates.Nodes.class);
    assertThat(state("team").usedMilli()).isEqualTo(500);
    assertThat(node.ask(more, NOW))
        .isEqualTo(
            new Candidates.HeldBack(
                "queue team has 0.5 of at most 0.5 cards, and the pod asks for 0.013"));
  }

  @Test
  void podsThatClaimToHoldAnyAmountDoNotBreakTheAccounts() {
    ledger.queues(List.of(queue("team", Quota.train(GPU, 1)), queue("default", Quota.train(0, 1))));
    ledger.seen(plainNode());
    for (int i = 0; i < 50; i++) {
      var greedy = Pods.asking("greedy" + i, Map.of("nvidia.com/mig-1g.5gb", Long.MAX_VALUE));
      ledger.seen(Pods.inQueue(Pods.bound(greedy, "plain", Map.of()), "team", NOW));
    }

    assertThat(state("team").usedMilli()).isPositive();
    assertThat(node.ask(asking("p", "default"), NOW)).isInstanceOf(Candidates.Nodes.class);
  }

  private static NodeFacts plainNode() {
    return new NodeFacts(
        "plain", Map.of(), Map.of(), Map.of("nvidia.com/mig-1g.5gb", Long.MAX_VALUE), true, false);
  }
}
