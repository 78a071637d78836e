package io.prescale.controller.operator.scalein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WriteBudgetTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");

  private final WriteBudget budget = new WriteBudget(5, 3);

  @Test
  void oneWorkloadHasItsPartAndAllTogetherTheirs() {
    assertThat(spent("chat", NOON)).isEqualTo(3);
    assertThat(spent("mail", NOON.plusSeconds(59))).isEqualTo(2);
    assertThat(spent("voice", NOON.plusSeconds(59))).isZero();
  }

  @Test
  void everyMinuteHasItsOwnAlsoWhenTheClockGoesBack() {
    assertThat(spent("chat", NOON)).isEqualTo(3);
    assertThat(spent("chat", NOON.plusSeconds(60))).isEqualTo(3);
    assertThat(spent("chat", NOON)).isEqualTo(3);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new WriteBudget(2, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new WriteBudget(2, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  private long spent(String workload, Instant now) {
    return IntStream.range(0, 10).filter(_ -> budget.spend(workload, now)).count();
  }
}
