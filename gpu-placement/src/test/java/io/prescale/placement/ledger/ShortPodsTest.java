package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.DeclaredLength;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.inventory.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Until a booking's pods come, pods that end before may have its cards. */
class ShortPodsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");
  private static final PodSelector LLM = new PodSelector("default", Map.of("app", "llm"));
  private static final Map<String, Long> CARD = Map.of("nvidia.com/gpu", 1L);

  private final Ledger ledger = new Ledger(10);

  @BeforeEach
  void theOnlyCardIsBookedInTenMinutes() {
    ledger.seen(Nodes.a100("a", 1));
    keep(Duration.ofMinutes(10));
  }

  private void keep(Duration lentFor) {
    ledger.keep(List.of(KeptCards.booked(Set.of(LLM), Set.of("GPU-a-0"), lentFor)));
  }

  private boolean mayHaveIt(PodFacts pod) {
    return ledger.candidates(pod, List.of("a"), false, NOW, _ -> 0) instanceof Candidates.Nodes;
  }

  @Test
  void oneThatIsNeverTakenHasToKeepAway() {
    var asking =
        Pods.of(
            "short",
            List.of(new PodFacts.Container("main", false, CARD)),
            Map.of("gpu.prescale.io/reclaim", "never"));

    assertThat(mayHaveIt(Pods.ofLength(asking, Duration.ofMinutes(5)))).isFalse();
  }

  private static PodFacts pod(Duration length) {
    return Pods.ofLength(Pods.asking("short", CARD), length);
  }

  @Test
  void thoseThatEndByThenMayHaveThemAndNoOthers() {
    assertThat(mayHaveIt(pod(Duration.ofMinutes(10)))).isTrue();
    assertThat(mayHaveIt(pod(Duration.ofMinutes(10).plusSeconds(1)))).isFalse();
    assertThat(mayHaveIt(Pods.asking("silent", CARD))).isFalse();
    assertThat(mayHaveIt(Pods.labelled(Pods.asking("new", CARD), Map.of("app", "llm")))).isTrue();

    keep(Duration.ZERO);

    assertThat(mayHaveIt(pod(Duration.ofSeconds(1)))).isFalse();
  }

  /** One that asks for the same and says nothing was refused before it. */
  @Test
  void oneThatWaitsIsWokenForThem() {
    var first = Pods.labelled(Pods.asking("first", CARD), LLM.labels());
    ledger.seen(first);
    assertThat(ledger.candidates(first, List.of("a"), true, NOW, _ -> 0))
        .isInstanceOf(Candidates.Nodes.class);
    var silent = Pods.asking("silent", CARD);
    var waiting = pod(Duration.ofMinutes(5));
    List.of(silent, waiting).forEach(ledger::seen);
    List.of(silent, waiting)
        .forEach(pod -> ledger.candidates(pod, List.of("a"), true, NOW, _ -> 0));
    assertThat(ledger.awaken(10, NOW)).isEmpty();

    ledger.podGone(first.uid());

    assertThat(ledger.awaken(10, NOW)).containsExactly(waiting);
  }

  @Test
  void aPodEndsAfterItsLengthFromItsStartAndUnlessItIsLate() {
    var length = Duration.ofMinutes(10);
    var running = new DeclaredLength(length, Optional.of(NOW));

    assertThat(running.end(NOW.plusSeconds(599))).contains(NOW.plusSeconds(600));
    assertThat(running.end(NOW.plusSeconds(600))).isEmpty();
    assertThat(new DeclaredLength(length, Optional.empty()).end(NOW.plusSeconds(60)))
        .contains(NOW.plusSeconds(660));
  }
}
