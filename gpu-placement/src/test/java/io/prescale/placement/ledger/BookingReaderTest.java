package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.GPU;
import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Booking.Need;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pods bookings expect, on one node with eight cards. */
class BookingReaderTest {
  private static final Map<String, String> LLM = Map.of("app", "llm");
  private static final PodSelector SELECTOR = new PodSelector("default", LLM);

  private final QueuedNode node = new QueuedNode();
  private final Ledger ledger = node.ledger;

  private static PodFacts replica(String name) {
    return Pods.labelled(Pods.asking(name, Map.of("nvidia.com/gpu", 1L)), LLM);
  }

  private static Need need(int fromMinute, int untilMinute, int replicas, double probability) {
    return new Need(
        NOW.plus(Duration.ofMinutes(fromMinute)),
        NOW.plus(Duration.ofMinutes(untilMinute)),
        replicas,
        probability);
  }

  private static Booking booking(String name, PodSelector pods, Need... needs) {
    return new Booking(
        "default/" + name, pods, replica("replica"), Set.of("a"), List.of(needs), 20);
  }

  private Optional<ReclaimFacts> ask(Booking... bookings) {
    return ledger.reclaimFacts(new ReclaimQuestion(Set.of(), Map.of(), List.of(bookings), NOW));
  }

  private List<Expectation> expected(Booking... bookings) {
    return ask(bookings).map(ReclaimFacts::expected).orElse(List.of());
  }

  private void bind(PodFacts pod) {
    ledger.seen(pod);
    assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.Nodes.class);
    assertThat(ledger.decide(pod.uid(), "a", NOW)).isInstanceOf(Decision.Bind.class);
  }

  @Test
  void replicasThatHaveCardsAreNotExpectedAndThoseThatWaitAreNow() {
    bind(replica("first"));
    var waiting = replica("second");
    ledger.seen(waiting);

    var expected = expected(booking("llm", SELECTOR, need(10, 70, 4, 0.4)));

    assertThat(expected)
        .extracting(each -> each.claim().pods())
        .containsExactly(Set.of(waiting.uid()), Set.of(), Set.of());
    assertThat(expected).extracting(Expectation::from).containsExactly(NOW, minute(10), minute(10));
    assertThat(expected).extracting(Expectation::probability).containsExactly(1.0, 0.4, 0.4);
    assertThat(expected)
        .extracting(each -> each.claim().key())
        .containsExactly("default/llm/2", "default/llm/3", "default/llm/4");
    assertThat(expected).extracting(each -> each.claim().milli()).containsOnly(1L * GPU);
  }

  private static Instant minute(int minute) {
    return NOW.plus(Duration.ofMinutes(minute));
  }

  @Test
  void eachRankHasItsEarliestNeedAndLaterThanAnHourIsNotLookedAt() {
    var expected =
        expected(
            booking(
                "llm",
                SELECTOR,
                need(30, 60, 3, 0.2),
                need(-5, 10, 1, 0.9),
                need(-60, -1, 9, 1),
                need(30, 50, 2, 0.6),
                need(61, 90, 8, 1)));

    assertThat(expected)
        .extracting(Expectation::from)
        .containsExactly(minute(-5), minute(30), minute(30));
    assertThat(expected).extracting(Expectation::probability).containsExactly(0.9, 0.6, 0.2);
    assertThat(expected)
        .extracting(Expectation::until)
        .containsExactly(minute(10), minute(60), minute(60));
  }

  @Test
  void podsOfABookingAreNoClaimsOfTheirOwnAndOthersAre() {
    ledger.queues(
        List.of(queue("default", Quota.train(8 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    assertThat(node.bindAll(node.waiting("batch", 8), NOW)).isEqualTo(8);
    var pods = IntStream.range(0, 3).mapToObj(i -> replica("llm-" + i)).toList();
    pods.forEach(ledger::seen);
    pods.forEach(pod -> assertThat(node.ask(pod, NOW)).isInstanceOf(Candidates.Nowhere.class));

    var facts = ask(booking("llm", SELECTOR, need(0, 60, 2, 0.9))).orElseThrow();

    assertThat(facts.expected())
        .extracting(each -> each.claim().pods())
        .containsExactly(Set.of("uid-llm-0"), Set.of("uid-llm-1"));
    assertThat(facts.claimants()).extracting(Claimant::key).containsExactly("uid-llm-2");
    assertThat(facts.demand()).containsEntry("default", 3L * GPU);
  }

  @Test
  void needsWithoutAGapAreOne() {
    assertThat(expected(booking("llm", SELECTOR, need(0, 5, 2, 0.9), need(5, 90, 1, 0.4))))
        .extracting(Expectation::until)
        .containsExactly(minute(90), minute(5));
  }

  @Test
  void whatIsExpectedIsPartOfTheDemandOfItsQueue() {
    ledger.queues(List.of(queue("default", Quota.train(8 * GPU, 1))));

    assertThat(ask(booking("llm", SELECTOR, need(0, 60, 3, 0.9))).orElseThrow().demand())
        .containsEntry("default", 3L * GPU);
  }

  @Test
  void withoutQueuesOneMayHaveAllAndWithoutBookingsThereIsNothingToSay() {
    assertThat(ask()).isEmpty();
    assertThat(ask(booking("llm", SELECTOR))).isEmpty();
    var facts = ask(booking("llm", SELECTOR, need(0, 60, 3, 0.9))).orElseThrow();
    assertThat(facts.tree().isLeaf("default")).isTrue();
    assertThat(facts.expected()).allMatch(each -> each.claim().queue().equals("default"));
  }

  @Test
  void withoutQueuesWhatWaitsIsInTheDemandToo() {
    ledger.seen(replica("waits"));

    assertThat(ask(booking("llm", SELECTOR, need(0, 60, 3, 0.9))).orElseThrow().demand())
        .isEqualTo(Map.of("default", 3L * GPU));
  }

  @Test
  void cardsThatAreKeptForABookingAreGivenToAnyOfItsPodsWhetherItIsKnownOrNot() {
    var all = ledger.uses().stream().map(CardUse::uuid).toList();
    ledger.keep(List.of(KeptCards.booked(Set.of(SELECTOR), Set.copyOf(all), Duration.ZERO)));

    assertThat(node.ask(Pods.asking("other", Map.of("nvidia.com/gpu", 1L)), NOW))
        .isEqualTo(new Candidates.Nowhere(Map.of("a", "keeps cards for other pods"), Set.of()));
    bind(replica("new"));
  }

  @Test
  void ofTwoBookingsOfTheSamePodsEachPodCountsForOne() {
    bind(replica("first"));

    assertThat(
            expected(
                booking("a", SELECTOR, need(0, 60, 1, 0.9)),
                booking("b", SELECTOR, need(0, 60, 1, 0.9))))
        .extracting(each -> each.claim().key())
        .containsExactly("default/b/1");
  }

  @Test
  void ofManyTheFirstTwoHundredAreLookedAt() {
    var bookings =
        IntStream.range(0, 1000)
            .mapToObj(
                i ->
                    booking(
                        "b" + i,
                        new PodSelector("default", Map.of("app", "b" + i)),
                        need(-1_000_000, 90, 10_000, 0.9)))
            .toArray(Booking[]::new);

    assertThat(expected(bookings))
        .hasSize(200)
        .extracting(Expectation::booking)
        .as("no booking crowds out another")
        .doesNotHaveDuplicates();
  }

  @Test
  void whatAsksForNoCardsIsNotExpected() {
    var nothing =
        new Booking(
            "default/nothing",
            SELECTOR,
            Pods.labelled(Pods.asking("none", Map.of()), LLM),
            Set.of("a"),
            List.of(need(0, 60, 3, 0.9)),
            20);

    assertThat(expected(nothing)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "60, 60, 1, 0.5",
    "60, 0, 1, 0.5",
    "0, 60, 0, 0.5",
    "0, 60, 1, 0",
    "0, 60, 1, 1.1",
    "0, 60, 1, NaN"
  })
  void needsThatMakeNoSenseAreRefused(int from, int until, int replicas, double probability) {
    assertThatThrownBy(() -> need(from, until, replicas, probability))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give 1 or more, a later end");
  }

  @Test
  void aSelectorOfNothingIsRefused() {
    assertThatThrownBy(() -> new PodSelector("default", Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give a namespace and a label or more");
    assertThat(SELECTOR.matches(Pods.asking("other", Map.of("nvidia.com/gpu", 1L)))).isFalse();
  }
}
