package io.prescale.controller.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Trust;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MarkLogTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final MarkLog log = new MarkLog();

  private void pass(int minute, Trust.State state, int fittedMinute) {
    log.observe(
        "requests", minute(minute), state, "Now " + state + ".", Optional.of(minute(fittedMinute)));
  }

  private static Instant minute(int minute) {
    return NOON.plusSeconds(60L * minute);
  }

  @Test
  void marksEveryFitOnceAndEveryChangeOfTheBreaker() {
    pass(1, Trust.State.CLOSED, 0);
    pass(2, Trust.State.CLOSED, 0);
    pass(3, Trust.State.OPEN, 0);
    pass(4, Trust.State.CLOSED, 4);

    assertThat(log.of("requests"))
        .containsExactly(
            new Mark(minute(0), Mark.Kind.REFIT, "They know what was observed until then."),
            new Mark(minute(3), Mark.Kind.BREAKER, "Now OPEN."),
            new Mark(minute(4), Mark.Kind.REFIT, "They know what was observed until then."),
            new Mark(minute(4), Mark.Kind.BREAKER, "Now CLOSED."));
    assertThat(log.of("tokens")).isEmpty();
  }

  @Test
  void forgetsTheOldest() {
    for (int i = 0; i < 100; i++) {
      pass(i, Trust.State.CLOSED, i);
    }

    assertThat(log.of("requests")).hasSize(60);
    assertThat(log.of("requests").getFirst().at()).isEqualTo(minute(40));
  }
}
