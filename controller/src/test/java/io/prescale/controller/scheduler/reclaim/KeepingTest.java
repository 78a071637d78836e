package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.KeptCards;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.notice.ReclaimRound;
import io.prescale.placement.notice.ReclaimView;
import io.prescale.placement.queue.QueueTree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeepingTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");
  private static final PodSelector LLM = new PodSelector("default", Map.of("app", "llm"));
  private static final Booking BOOKING =
      new Booking(
          "default/llm",
          LLM,
          Pods.asking("new", Map.of("nvidia.com/gpu", 1L)),
          Set.of("a"),
          List.of(),
          20);

  private final Keeping keeping = new Keeping();

  private List<KeptCards> kept(
      Map<String, Set<String>> cards, List<Expectation> expected, Instant now) {
    var result = new ReclaimRound.Result(List.of(), cards, Map.of(), Map.of());
    var view =
        new ReclaimView(
            ClusterSnapshot.ofNodes(List.of()),
            QueueTree.ofEntries(List.of()),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            List.of(),
            expected,
            Set.of(),
            List.of(),
            Set.of(),
            Set.of());
    return keeping.kept(result, Map.of(), view, List.of(BOOKING), now);
  }

  private static Expectation expected(int number, int minutes) {
    var from = NOW.plus(Duration.ofMinutes(minutes));
    var shape = RequestShape.of(1, GpuDemand.WholeGpu.ANY);
    var claim =
        new Claimant(
            "default/llm/" + number,
            "default",
            Set.of(),
            List.of(shape),
            1000,
            Optional.empty(),
            0,
            from);
    return new Expectation("default/llm", claim, from, from.plusSeconds(600), 0.9, 20);
  }

  private static KeptCards lent(int minutes, String... cards) {
    return KeptCards.booked(Set.of(LLM), Set.of(cards), Duration.ofMinutes(minutes));
  }

  @Test
  void untilAMinuteBeforeACardIsNeededItIsLent() {
    var expected = List.of(expected(1, 10), expected(2, 20), expected(3, 20));
    Map<String, Set<String>> cards =
        Map.of(
            "default/llm/1", Set.of("A"),
            "default/llm/2", Set.of("B"),
            "default/llm/3", Set.of("C", "A"));

    assertThat(kept(cards, expected, NOW))
        .containsExactlyInAnyOrder(lent(9, "A"), lent(19, "B", "C"));
  }

  /** It was chosen for another time then. */
  @Test
  void whatTheLastRoundKeptIsLentAsLongAsItWasThen() {
    kept(Map.of("default/llm/1", Set.of("A")), List.of(expected(1, 10)), NOW);

    var next =
        kept(
            Map.of("default/llm/1", Set.of("B")),
            List.of(expected(1, 20)),
            NOW.plusSeconds(15 * 60));

    assertThat(next).containsExactlyInAnyOrder(lent(0, "A"), lent(4, "B"));
  }
}
