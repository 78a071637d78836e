package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pods of queues on one node with eight cards of 80 GiB. */
class QueuesInLedgerTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant LATER = NOW.plus(QueueAccounts.AWAITED);
  private static final String RECORD = "hami.io/vgpu-devices-allocated";
  private static final List<String> NODES = List.of("a");
  private static final int MANY = 100;
  private static final int GPU = 1000;

  private final Ledger ledger = ledger(8);
  private final List<PodFacts> bound = new ArrayList<>();

  private static Ledger ledger(int cards) {
    var ledger = new Ledger(10);
    ledger.seen(Nodes.a100("a", cards));
    return ledger;
  }

  private static QueueEntry queue(String name, Quota quota) {
    return new QueueEntry(name, Optional.empty(), quota);
  }

  private static PodFacts asking(String name, String queue) {
    return Pods.inQueue(Pods.asking(name, Map.of("nvidia.com/gpu", 1L)), queue, NOW);
  }

  private List<PodFacts> waiting(String queue, int pods) {
    return IntStream.range(0, pods)
        .mapToObj(i -> asking(queue + i, queue))
        .peek(ledger::seen)
        .toList();
  }

  private Candidates ask(PodFacts pod, Instant now) {
    return ledger.candidates(pod, NODES, true, now, _ -> 0);
  }

  private boolean bind(PodFacts pod, Instant now) {
    if (!(ask(pod, now) instanceof Candidates.Nodes)) {
      return false;
    }
    assertThat(ledger.decide(pod.uid(), "a", now)).isInstanceOf(Decision.Bind.class);
    var card = ledger.uses().stream().filter(use -> holds(use, pod)).findFirst().orElseThrow();
    var seen =
        Pods.inQueue(
            Pods.bound(pod, "a", Map.of(RECORD, card.uuid() + ",NVIDIA,81920,100:;")),
            pod.queue().orElseThrow(),
            NOW);
    ledger.seen(seen);
    bound.add(seen);
    return true;
  }

  private static boolean holds(CardUse use, PodFacts pod) {
    return use.parts().stream().anyMatch(part -> part.holder().equals(pod.uid()));
  }

  private long bindAll(List<PodFacts> pods, Instant now) {
    return pods.stream().filter(pod -> bind(pod, now)).count();
  }

  private QueueState state(String name) {
    return ledger.queues().stream()
        .filter(queue -> queue.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void withoutQueuesALabelMeansNothing() {
    assertThat(bindAll(waiting("any", 9), NOW)).isEqualTo(8);
    assertThat(ledger.queues()).isEmpty();
  }

  @Test
  void aQueueAtItsLimitWaitsWithAReasonAndGoesOnWhenOneOfItsPodsEnds() {
    ledger.queues(List.of(queue("team", Quota.train(1 * GPU, 1).withLimit(2 * GPU))));
    var pods = waiting("team", 3);

    assertThat(bindAll(pods.subList(0, 2), NOW)).isEqualTo(2);
    assertThat(ask(pods.get(2), NOW))
        .isEqualTo(
            new Candidates.HeldBack("queue team has 2 of at most 2 cards, and the pod asks for 1"));
    assertThat(state("team").usedMilli()).isEqualTo(2 * GPU);
    assertThat(state("team").borrowedMilli()).isEqualTo(GPU);
    assertThat(state("team").waiting()).isEqualTo(1);
    assertThat(state("team").oldest()).contains(NOW);
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();

    ledger.podGone(pods.get(0).uid());

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(pods.get(2));
    assertThat(bind(pods.get(2), NOW)).isTrue();
    assertThat(state("team").waiting()).isZero();
  }

  @Test
  void aDryRunAndAPodThatIsBoundWithoutAnOfferKeepToTheLimitToo() {
    ledger.queues(List.of(queue("team", Quota.build(GPU))));
    var pods = waiting("team", 2);
    assertThat(bind(pods.get(0), NOW)).isTrue();

    assertThat(ledger.candidates(pods.get(1), NODES, false, NOW, _ -> 0))
        .isInstanceOf(Candidates.HeldBack.class);
    assertThat(ledger.decide(pods.get(1).uid(), "a", NOW)).isInstanceOf(Decision.Refused.class);
  }

  @Test
  void aPodOfAnUnknownQueueIsRefusedUntilTheQueueIsThere() {
    ledger.queues(List.of(queue("team", Quota.train(0, 1))));
    var pod = waiting("lost", 1).getFirst();

    assertThat(ask(pod, NOW))
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

    assertThat(ask(list.get(0), NOW)).isInstanceOf(Candidates.Nodes.class);
    assertThat(state("default").usedMilli()).isEqualTo(GPU);
    ledger.namespaceSeen("default", Optional.of("team"));

    assertThat(state("default").usedMilli()).isZero();
    assertThat(state("team").usedMilli()).isEqualTo(GPU);
    assertThat(ask(list.get(1), NOW)).isInstanceOf(Candidates.HeldBack.class);
  }

  /** kube-scheduler asks about all pods of the first queue before it asks about the others. */
  @Test
  void aQueueDoesNotTakeWhatAnotherIsOwedWhosePodsWait() {
    ledger.queues(
        List.of(queue("a", Quota.train(2 * GPU, 1)), queue("b", Quota.train(4 * GPU, 1))));
    var first = waiting("a", 8);
    var second = waiting("b", 8);

    assertThat(bindAll(first, NOW)).isEqualTo(3);
    assertThat(ask(first.get(3), NOW))
        .isEqualTo(
            new Candidates.HeldBack(
                "queue a has 3 of the 3 cards that it is owed, and queue b, which waits, 0 of 5"));
    assertThat(bindAll(second, NOW)).isEqualTo(5);
    assertThat(ledger.awaken(MANY, NOW)).as("all cards are given").isEmpty();
  }

  @Test
  void whatNoOtherQueueAsksForIsLent() {
    ledger.queues(
        List.of(queue("a", Quota.train(2 * GPU, 1)), queue("b", Quota.train(4 * GPU, 1))));

    assertThat(bindAll(waiting("a", 8), NOW)).isEqualTo(8);
    assertThat(state("a").borrowedMilli()).isEqualTo(6 * GPU);
  }

  /** A pod that the scheduler never asks about, for instance because of its affinity. */
  @Test
  void aPodThatIsNeverAskedAboutHoldsOthersBackForAWhileOnly() {
    ledger.queues(List.of(queue("a", Quota.train(0, 1)), queue("b", Quota.train(8 * GPU, 1))));
    waiting("b", 8);
    var pod = waiting("a", 1).getFirst();

    assertThat(ask(pod, NOW)).isInstanceOf(Candidates.HeldBack.class);
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
    assertThat(ledger.awaken(MANY, LATER)).containsExactly(pod);
  }

  /** Only what has room holds others back: eight cards are never free while one pod runs. */
  @Test
  void aClaimWithoutRoomKeepsNoOtherQueueWaiting() {
    ledger.queues(List.of(queue("a", Quota.train(0, 1)), queue("b", Quota.train(8 * GPU, 1))));
    bind(waiting("a", 1).getFirst(), NOW);
    var large = Pods.inQueue(Pods.asking("large", Map.of("nvidia.com/gpu", 8L)), "b", NOW);
    ledger.seen(large);
    assertThat(ask(large, NOW)).isInstanceOf(Candidates.Nowhere.class);
    ledger.awaken(MANY, NOW);
    var pod = asking("late", "a");
    ledger.seen(pod);

    assertThat(ask(pod, NOW)).isInstanceOf(Candidates.Nodes.class);
  }

  /** Each second the pod that ran longest ends, and what is woken takes its card. */
  @Test
  void queuesTakeTurnsUnderChurnAsTheirWeightsSay() {
    ledger.queues(List.of(queue("a", Quota.train(0, 3)), queue("b", Quota.train(0, 1))));
    bindAll(waiting("a", 60), NOW);
    bindAll(waiting("b", 60), NOW);
    var now = NOW;
    for (int second = 0; second < 40; second++) {
      now = now.plusSeconds(1);
      ledger.podGone(bound.removeFirst().uid());
      var woken = ledger.awaken(MANY, now);
      assertThat(woken).hasSize(1);
      assertThat(bind(woken.getFirst(), now)).isTrue();
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

    assertThat(ask(members.getFirst(), NOW))
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

    assertThat(ask(half, NOW)).isInstanceOf(Candidates.Nodes.class);
    assertThat(state("team").usedMilli()).isEqualTo(500);
    assertThat(ask(more, NOW))
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
    assertThat(ask(asking("p", "default"), NOW)).isInstanceOf(Candidates.Nodes.class);
  }

  private static NodeFacts plainNode() {
    return new NodeFacts(
        "plain", Map.of(), Map.of(), Map.of("nvidia.com/mig-1g.5gb", Long.MAX_VALUE), true, false);
  }
}
