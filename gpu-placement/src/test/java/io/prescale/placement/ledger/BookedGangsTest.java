package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.GPU;
import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Booking.Need;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which gangs bookings expect, on one node with eight cards; each gang has two pods. */
class BookedGangsTest {
  private static final Map<String, String> LLM = Map.of("app", "llm");
  private static final PodSelector SELECTOR = new PodSelector("default", LLM);

  private final QueuedNode node = new QueuedNode();
  private final Ledger ledger = node.ledger;

  private static PodFacts pod(String name, long cards) {
    return Pods.labelled(Pods.asking(name, Map.of("nvidia.com/gpu", cards)), LLM);
  }

  private static List<PodFacts> gang(String name) {
    return IntStream.range(0, 2)
        .mapToObj(i -> Pods.asking(name + "-" + i, Map.of("nvidia.com/gpu", 1L)))
        .map(pod -> Pods.labelled(Pods.inGroup(pod, new Group(name, 2)), LLM))
        .toList();
  }

  private static Booking booking(int replicas, PodFacts... pods) {
    var need = new Need(NOW, NOW.plus(Duration.ofHours(1)), replicas, 0.9);
    return new Booking("default/llm", SELECTOR, List.of(pods), Set.of("a"), List.of(need), 20);
  }

  private List<Expectation> expected(Booking booking) {
    return facts(booking).expected();
  }

  private ReclaimFacts facts(Booking booking) {
    return ledger
        .reclaimFacts(new ReclaimQuestion(Set.of(), Map.of(), List.of(booking), NOW))
        .orElseThrow();
  }

  private static Booking ofTwo(int replicas) {
    return booking(replicas, pod("leader", 1), pod("worker", 1));
  }

  /** The round would fail for all others. */
  @Test
  void aReplicaOfAQueueThatIsNotThereIsNoDemandOfOne() {
    ledger.queues(List.of(queue("serving", Quota.train(8 * GPU, 1))));

    var facts = facts(booking(1, Pods.inQueue(pod("server", 1), "typo", NOW)));

    assertThat(facts.expected()).extracting(it -> it.claim().queue()).containsExactly("typo");
    assertThat(facts.demand()).doesNotContainKey("typo");
  }

  @Test
  void aReplicaIsAGangWithTheCardsOfAllItsPods() {
    var expected = expected(booking(3, pod("leader", 1), pod("worker", 2)));

    assertThat(expected).hasSize(3);
    assertThat(expected).extracting(it -> it.claim().shapes().size()).containsOnly(2);
    assertThat(expected).extracting(it -> it.claim().milli()).containsOnly(3L * GPU);
    assertThat(expected)
        .extracting(it -> it.claim().key())
        .containsExactly("default/llm/1", "default/llm/2", "default/llm/3");
  }

  @Test
  void aLeaderWithoutCardsClaimsNone() {
    var leader = Pods.labelled(Pods.asking("leader", Map.of()), LLM);

    assertThat(expected(booking(1, leader, pod("worker", 2))))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.claim().shapes()).hasSize(1);
              assertThat(it.claim().milli()).isEqualTo(2L * GPU);
            });
  }

  @Test
  void aGangThatIsBoundCountsForOneAndOneThatWaitsStandsForTheNext() {
    var bound = gang("bound");
    bound.forEach(ledger::seen);
    bound.forEach(pod -> assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.Nodes.class));
    var waiting = gang("waiting");
    waiting.forEach(ledger::seen);
    ledger.seen(gang("half").getFirst());

    var expected = expected(ofTwo(4));

    assertThat(expected)
        .extracting(it -> it.claim().pods())
        .containsExactly(Set.of("uid-waiting-0", "uid-waiting-1"), Set.of(), Set.of());
    assertThat(expected).extracting(Expectation::probability).containsExactly(1.0, 0.9, 0.9);
    assertThat(expected)
        .extracting(it -> it.claim().key())
        .containsExactly("default/llm/2", "default/llm/3", "default/llm/4");
    assertThat(expected).extracting(it -> it.claim().milli()).containsOnly(2L * GPU);
  }

  @Test
  void cardsThatAreKeptAreGivenToAllPodsOfAGang() {
    var all = Set.copyOf(ledger.uses().stream().map(CardUse::uuid).toList());
    ledger.keep(List.of(KeptCards.booked(Set.of(SELECTOR), all, Duration.ZERO)));
    var gang = gang("new");
    gang.forEach(ledger::seen);

    assertThat(node.ask(pod("other", 1).as("x"), NOW)).isInstanceOf(Candidates.Nodes.class);
    assertThat(node.ask(Pods.asking("other", Map.of("nvidia.com/gpu", 1L)), NOW))
        .isInstanceOf(Candidates.Nowhere.class);
    gang.forEach(pod -> assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.Nodes.class));
  }

  @Test
  void aGangOfABookingIsNoClaimOfItsOwn() {
    ledger.queues(List.of(QueuedNode.queue("default", Quota.train(8 * GPU, 1))));
    var others =
        IntStream.range(0, 7).mapToObj(i -> QueuedNode.asking("o" + i, "default")).toList();
    others.forEach(ledger::seen);
    assertThat(node.bindAll(others, NOW)).isEqualTo(7);
    var first = gang("first");
    var second = gang("second");
    List.of(first, second).forEach(each -> each.forEach(ledger::seen));
    first.forEach(pod -> assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.class));
    second.forEach(pod -> assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.class));

    var facts = facts(ofTwo(1));

    assertThat(facts.expected())
        .extracting(it -> it.claim().pods())
        .containsExactly(Set.of("uid-first-0", "uid-first-1"));
    assertThat(facts.claimants()).extracting(Claimant::key).doesNotContain("default/first");
  }

  /** A hundred gangs of two, not two hundred. */
  @Test
  void podsAreCountedNotReplicasWhereThereAreMany() {
    assertThat(expected(ofTwo(10_000))).hasSize(100);
  }

  /** It claims its cards as any gang that waits. */
  @Test
  void aWaitingGangThatIsLargerThanAllThatIsLookedAtCrowdsOutNoOther() {
    var large =
        IntStream.range(0, 201)
            .mapToObj(i -> Pods.asking("large-" + i, Map.of("nvidia.com/gpu", 1L)))
            .map(pod -> Pods.labelled(Pods.inGroup(pod, new Group("large", 201)), LLM))
            .toList();
    large.forEach(ledger::seen);

    assertThat(expected(ofTwo(3)))
        .extracting(it -> it.claim().key())
        .containsExactly("default/llm/2", "default/llm/3");
  }

  @Test
  void aLargeGangLeavesWhatItDoesNotNeedToOthers() {
    var pods = IntStream.range(0, 150).mapToObj(i -> pod("p" + i, 1)).toArray(PodFacts[]::new);
    var need = new Need(NOW, NOW.plus(Duration.ofHours(1)), 9, 0.9);
    var other = new PodSelector("default", Map.of("app", "web"));
    var single = new Booking("default/web", other, pod("web", 1), Set.of("a"), List.of(need), 20);

    var facts =
        ledger
            .reclaimFacts(
                new ReclaimQuestion(Set.of(), Map.of(), List.of(booking(2, pods), single), NOW))
            .orElseThrow();

    assertThat(facts.expected())
        .extracting(Expectation::booking)
        .containsOnlyOnce("default/llm")
        .filteredOn("default/web"::equals)
        .hasSize(9);
  }

  /** One that only asks for another device says nothing of the cards of its gang. */
  @Test
  void aLeaderThatHoldsAnotherDeviceDoesNotStandForItsGang() {
    var leader = Pods.labelled(Pods.asking("llm-0", Map.of("rdma/hca", 1L)), LLM);
    ledger.seen(Pods.bound(Pods.inGroup(leader, "g", 2), "a", Map.of()));

    assertThat(expected(ofTwo(1))).hasSize(1);
  }

  @Test
  void aReplicaWithoutPodsIsRefused() {
    assertThatThrownBy(() -> booking(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give one or more");
  }
}
