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
  void marksWhatIsWrongOnceAndThatItIsOver() {
    log.observe("room", minute(0), false, "Every replica has a node.");
    log.observe("metrics", minute(1), true, "Prometheus is away.");
    log.observe("room", minute(2), true, "No room.");
    log.observe("metrics", minute(1), true, "Prometheus is still away.");
    log.observe("metrics", minute(4), false, "Every metric was read.");
    pass(3, Trust.State.CLOSED, 3);

    assertThat(log.of("requests"))
        .extracting(mark -> mark.kind() + " " + mark.text())
        .containsExactly(
            "INCIDENT Prometheus is away.",
            "INCIDENT No room.",
            "REFIT They know what was observed until then.",
            "RECOVERY Every metric was read.");
    assertThat(log.of("tokens")).as("of the workload").hasSize(3);
  }

  @Test
  void marksANewRevisionOnce() {
    log.deployed("7d4b9", minute(1));
    log.deployed("7d4b9", minute(1));
    log.deployed("5c8f6", minute(9));

    assertThat(log.of("requests"))
        .containsExactly(
            new Mark(minute(1), Mark.Kind.DEPLOY, "The first pod of revision 7d4b9 was created."),
            new Mark(minute(9), Mark.Kind.DEPLOY, "The first pod of revision 5c8f6 was created."));
  }

  @Test
  void incidentsDoNotDisplaceADeploy() {
    log.deployed("7d4b9", minute(0));
    for (int i = 1; i < 100; i++) {
      log.observe("metrics", minute(i), i % 2 == 1, "Now " + i + ".");
    }

    assertThat(log.of("requests")).hasSize(61);
    assertThat(log.of("requests").getFirst().kind()).isEqualTo(Mark.Kind.DEPLOY);
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
