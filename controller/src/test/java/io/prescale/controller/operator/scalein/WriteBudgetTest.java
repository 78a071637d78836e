package io.prescale.controller.operator.scalein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WriteBudgetTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");

  private final WriteBudget budget = new WriteBudget(12, 5);

  @Test
  void oneWorkloadHasItsPart() {
    assertThat(spent("team", "chat", NOON)).isEqualTo(5);
    assertThat(spent("team", "mail", NOON.plusSeconds(59))).isOne();
  }

  @Test
  void oneNamespaceHasHalfOfAllHoweverManyWorkloads() {
    for (int i = 0; i < 9; i++) {
      spent("greedy", "w" + i, NOON);
    }

    assertThat(spent("modest", "chat", NOON.plusSeconds(30))).isEqualTo(5);
    assertThat(spent("modest", "mail", NOON.plusSeconds(30))).isOne();
    assertThat(spent("third", "chat", NOON.plusSeconds(59))).as("12 in a minute").isZero();
  }

  @Test
  void namespacesThatAskedInTheLastMinuteHaveEqualShares() {
    for (var namespace : List.of("greedy", "modest", "third", "fourth")) {
      spent(namespace, namespace, NOON);
    }

    var next = NOON.plusSeconds(60);
    assertThat(spent("greedy", "chat", next)).isEqualTo(3);
    assertThat(spent("greedy", "mail", next)).isZero();
    assertThat(spent("fourth", "chat", next)).isEqualTo(3);
    assertThat(spent("modest", "chat", next)).isEqualTo(3);
    assertThat(spent("third", "chat", next)).isEqualTo(3);
    assertThat(spent("greedy", "chat", NOON.plusSeconds(180))).as("alone again").isEqualTo(5);
  }

  @Test
  void everyMinuteHasItsOwnAlsoWhenTheClockGoesBack() {
    assertThat(spent("team", "chat", NOON)).isEqualTo(5);
    assertThat(spent("team", "chat", NOON.plusSeconds(60))).isEqualTo(5);
    assertThat(spent("team", "chat", NOON)).isEqualTo(5);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new WriteBudget(2, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new WriteBudget(2, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  private long spent(String namespace, String workload, Instant now) {
    var uid = namespace + "/" + workload;
    return IntStream.range(0, 20).filter(_ -> budget.spend(namespace, uid, now)).count();
  }
}
