package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.Decision;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.notice.Expectation.Outcome;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Cards are kept for a booking as long as it expects something, without any queue. */
@MockApi
@NullUnmarked
class BookedCardsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");
  private static final Map<String, String> LLM = Map.of("app", "llm");
  private static final Map<String, Long> CARD = Map.of("nvidia.com/gpu", 1L);

  private final Ledger ledger = new Ledger(10);
  private final PodFacts replica = Pods.labelled(Pods.asking("new", CARD), LLM);
  private Instant clock = NOW;
  private List<Booking> bookings = List.of(booking(2));
  private KubernetesClient client;
  private final CollectorRegistry registry = new CollectorRegistry();

  private Booking booking(int replicas) {
    return booking(replicas, Duration.ofMinutes(1));
  }

  private Booking booking(int replicas, Duration length) {
    var need = new Booking.Need(NOW, NOW.plus(length), replicas, 0.9);
    var pods = new PodSelector("default", LLM);
    return new Booking("default/llm", pods, replica, Set.of("a"), List.of(need), 20);
  }

  private ReclaimExecutor executor() {
    return new ReclaimExecutor(
        client,
        ledger,
        () -> clock,
        new ReclaimMetrics(registry),
        Optional.empty(),
        Map::of,
        () -> bookings);
  }

  private Candidates ask(PodFacts pod) {
    return ledger.candidates(pod, List.of("a"), false, NOW, _ -> 0);
  }

  @Test
  void othersGetTheCardsThatAreLeftUntilTheNeedIsOver() {
    ledger.seen(Nodes.a100("a", 2));
    var other = Pods.asking("other", CARD);
    try (var executor = executor()) {
      assertThat(ask(other)).isInstanceOf(Candidates.Nodes.class);

      executor.round(() -> true);

      assertThat(executor.booked().values())
          .extracting(it -> it.of(Outcome.BOOKED))
          .containsExactly(2);
      assertThat(ask(other))
          .isEqualTo(new Candidates.Nowhere(Map.of("a", "keeps cards for other pods"), Set.of()));
      assertThat(ask(replica)).isInstanceOf(Candidates.Nodes.class);

      clock = NOW.plusSeconds(61);
      executor.round(() -> true);

      assertThat(executor.booked()).isEmpty();
      assertThat(ask(other)).isInstanceOf(Candidates.Nodes.class);
    }
  }

  @Test
  void onlyRoundsThatDecideAreMeasured() {
    ledger.seen(Nodes.a100("a", 2));
    try (var executor = executor()) {
      executor.round(() -> true);
      bookings = List.of();
      executor.round(() -> true);
    }
    assertThat(registry.getSampleValue("prescale_reclaim_decision_seconds_count")).isEqualTo(1);
  }

  @Test
  void theCardsStayKeptWhilePodsOfTheBookingWait() {
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(replica);
    try (var executor = executor()) {
      executor.round(() -> true);

      assertThat(executor.booked().values())
          .extracting(it -> it.of(Outcome.BOOKED))
          .containsExactly(2);
      assertThat(ask(Pods.asking("other", CARD))).isInstanceOf(Candidates.Nowhere.class);
    }
  }

  @Test
  void podsOfOthersThatWaitDoNotGetThemInTheNextRound() {
    ledger.seen(Nodes.a100("a", 2));
    var other = Pods.asking("other", CARD);
    ledger.seen(other);
    try (var executor = executor()) {
      executor.round(() -> true);
      assertThat(ledger.candidates(other, List.of("a"), true, NOW, _ -> 0))
          .isInstanceOf(Candidates.Nowhere.class);

      executor.round(() -> true);

      assertThat(executor.booked().values())
          .extracting(it -> it.of(Outcome.BOOKED))
          .containsExactly(2);
      assertThat(ledger.awaken(10, NOW)).isEmpty();
    }
  }

  /** Between two rounds others may have got what the second one has chosen instead. */
  @Test
  void whatWasKeptIsKeptForOneRoundMore() {
    ledger.seen(Nodes.a100("a", 2));
    try (var executor = executor()) {
      executor.round(() -> true);
      bookings = List.of(booking(1));
      executor.round(() -> true);
      assertThat(ask(Pods.asking("other", CARD))).isInstanceOf(Candidates.Nowhere.class);

      executor.round(() -> true);

      assertThat(ask(Pods.asking("other", CARD))).isInstanceOf(Candidates.Nodes.class);
    }
  }

  /** The pod that has the only card says that it ends within five minutes. */
  @Test
  void aCardThatIsLeftInTimeIsNotMissing() {
    ledger.seen(Nodes.a100("a", 1));
    ledger.queues(List.of(new QueueEntry("default", Optional.empty(), Quota.train(1000, 1))));
    var shortPod = Pods.ofLength(Pods.asking("short", CARD), Duration.ofMinutes(5));
    ledger.seen(shortPod);
    ledger.candidates(shortPod, List.of("a"), true, NOW, _ -> 0);
    assertThat(ledger.decide(shortPod.uid(), "a", NOW)).isInstanceOf(Decision.Bind.class);
    var card = ledger.uses().getFirst().uuid();
    var record = Map.of("hami.io/vgpu-devices-allocated", card + ",NVIDIA,81920,100:;");
    ledger.seen(Pods.ofLength(Pods.bound(shortPod, "a", record), Duration.ofMinutes(5)));
    try (var executor = executor()) {
      executor.seen(ApiWithoutRepetition.pod("short", Map.of()));
      bookings = List.of(bookingFrom(NOW.plusSeconds(300)));
      executor.round(() -> true);
      assertThat(outcomes(executor)).isEqualTo(Map.of(Outcome.FREE, 1));

      bookings = List.of(bookingFrom(NOW.plusSeconds(299)));
      executor.round(() -> true);
      assertThat(outcomes(executor)).isEqualTo(Map.of(Outcome.NO_ROOM, 1));
    }
  }

  private Booking bookingFrom(Instant from) {
    var need = new Booking.Need(from, from.plusSeconds(600), 1, 0.9);
    var pods = new PodSelector("default", LLM);
    return new Booking("default/llm", pods, replica, Set.of("a"), List.of(need), 20);
  }

  /** As when kube-scheduler refuses the node for another reason than its cards. */
  @Test
  void cardsThatAPodOfTheBookingDoesNotTakeAreGivenOutAgain() {
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(replica);
    bookings = List.of(booking(1, Duration.ofHours(8)));
    try (var executor = executor()) {
      executor.round(() -> true);
      clock = NOW.plusSeconds(120);
      executor.round(() -> true);
      assertThat(outcomes(executor)).isEqualTo(Map.of(Outcome.BOOKED, 1));

      clock = NOW.plusSeconds(121);
      executor.round(() -> true);
      executor.round(() -> true);
      executor.round(() -> true);

      assertThat(outcomes(executor)).isEqualTo(Map.of(Outcome.NOT_BOUND, 1));
      assertThat(ask(Pods.asking("other", Map.of("nvidia.com/gpu", 2L))))
          .isInstanceOf(Candidates.Nodes.class);

      clock = NOW.plusSeconds(121 + 600);
      executor.round(() -> true);
      assertThat(outcomes(executor)).isEqualTo(Map.of(Outcome.BOOKED, 1));
    }
  }

  /** As two services of which either may need the card. */
  @Test
  void podsOfBookingsOfTheSameKindMayTakeEachOthersCards() {
    ledger.seen(Nodes.a100("a", 2));
    var other = Map.of("app", "other");
    var pod = Pods.labelled(Pods.asking("pod", CARD), other);
    bookings = List.of(booking(2), ofOther(pod, other, 20));
    try (var executor = executor()) {
      executor.round(() -> true);
      assertThat(ask(pod)).isInstanceOf(Candidates.Nodes.class);
      assertThat(ask(Pods.asking("third", CARD))).isInstanceOf(Candidates.Nowhere.class);

      // What is worth less to it, or asks for something else, is of another kind.
      bookings = List.of(booking(2), ofOther(pod, other, 19));
      executor.round(() -> true);
      assertThat(ask(pod)).isInstanceOf(Candidates.Nowhere.class);
      var pair = Pods.labelled(Pods.asking("pod", Map.of("nvidia.com/gpu", 2L)), other);
      bookings = List.of(booking(2), ofOther(pair, other, 20));
      executor.round(() -> true);
      assertThat(ask(pair)).isInstanceOf(Candidates.Nowhere.class);
    }
  }

  /** One that expects nothing at the moment. */
  private static Booking ofOther(PodFacts pod, Map<String, String> labels, double price) {
    var need =
        new Booking.Need(NOW.plus(Duration.ofHours(9)), NOW.plus(Duration.ofHours(10)), 1, 1);
    var pods = new PodSelector("default", labels);
    return new Booking("default/other", pods, pod, Set.of("a"), List.of(need), price);
  }

  /** Of four replicas one waits, two have room, and one has none. */
  @Test
  void whatRoomReplicasWithoutPodsNeedIsCounted() {
    ledger.seen(Nodes.a100("a", 3));
    ledger.seen(replica);
    bookings = List.of(booking(4, Duration.ofHours(8)));
    try (var executor = executor()) {
      executor.round(() -> true);

      assertThat(executor.booked().get("default/llm").room())
          .containsExactly(new BookingState.Room(NOW, 3, 1));
    }
  }

  private static Map<Outcome, Integer> outcomes(ReclaimExecutor executor) {
    return executor.booked().values().iterator().next().counts();
  }
}
