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
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Cards are kept for gangs of two that are expected, on one node, without any queue. */
@MockApi
@NullUnmarked // the extension sets the client
class BookedGangCardsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");
  private static final Map<String, String> LLM = Map.of("app", "llm");
  private static final Map<String, Long> CARD = Map.of("nvidia.com/gpu", 1L);

  private final Ledger ledger = new Ledger(10);
  private Instant clock = NOW;
  private KubernetesClient client;

  private static Booking booking(int replicas) {
    var need = new Booking.Need(NOW, NOW.plus(Duration.ofHours(1)), replicas, 0.9);
    var pod = Pods.labelled(Pods.asking("replica", CARD), LLM);
    return new Booking(
        "default/llm",
        new PodSelector("default", LLM),
        List.of(pod, pod),
        Set.of("a"),
        List.of(need),
        20);
  }

  private ReclaimExecutor executor(Booking booking) {
    return new ReclaimExecutor(
        client,
        ledger,
        () -> clock,
        new ReclaimMetrics(new CollectorRegistry()),
        Optional.empty(),
        Map::of,
        () -> List.of(booking));
  }

  private static List<PodFacts> gang(String name) {
    return IntStream.range(0, 2)
        .mapToObj(i -> Pods.asking(name + "-" + i, CARD))
        .map(pod -> Pods.labelled(Pods.inGroup(pod, name, 2), LLM))
        .toList();
  }

  private Candidates ask(PodFacts pod) {
    return ledger.candidates(pod, List.of("a"), false, clock, _ -> 0);
  }

  private void bind(List<PodFacts> pods) {
    pods.forEach(ledger::seen);
    for (var pod : pods) {
      assertThat(ledger.candidates(pod, List.of("a"), true, clock, _ -> 0))
          .isInstanceOf(Candidates.Nodes.class);
      assertThat(ledger.decide(pod.uid(), "a", clock)).isInstanceOf(Decision.Bind.class);
    }
  }

  private static int of(ReclaimExecutor executor, Outcome outcome) {
    return executor.booked().get("default/llm").of(outcome);
  }

  /** Five cards are two gangs and a card more. */
  @Test
  void aGangIsBookedWholeAndWhatIsTooLittleForOneIsFree() {
    ledger.seen(Nodes.a100("a", 5));
    try (var executor = executor(booking(3))) {
      executor.round(() -> true);

      assertThat(of(executor, Outcome.BOOKED)).isEqualTo(2);
      assertThat(of(executor, Outcome.NO_ROOM)).isEqualTo(1);
      assertThat(executor.booked().get("default/llm").room())
          .singleElement()
          .satisfies(room -> assertThat(room.missing()).isEqualTo(1));
      bind(List.of(Pods.asking("other", CARD)));
      assertThat(ask(Pods.asking("another", CARD))).isInstanceOf(Candidates.Nowhere.class);

      bind(gang("first"));
      bind(gang("second"));
      executor.round(() -> true);
      assertThat(executor.booked().get("default/llm").expected()).isEqualTo(1);
    }
  }

  /** For two minutes after it had its room. */
  @Test
  void cardsOfAGangThatIsNotBoundAreGivenOutAgain() {
    ledger.seen(Nodes.a100("a", 2));
    gang("first").forEach(ledger::seen);
    try (var executor = executor(booking(1))) {
      executor.round(() -> true);
      assertThat(of(executor, Outcome.BOOKED)).isEqualTo(1);

      clock = NOW.plusSeconds(121);
      executor.round(() -> true);
      executor.round(() -> true);

      assertThat(of(executor, Outcome.NOT_BOUND)).isEqualTo(1);
      assertThat(ask(Pods.asking("other", CARD))).isInstanceOf(Candidates.Nodes.class);
    }
  }
}
