package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.simulation.cards.PausableJob;
import io.prescale.controller.simulation.cards.PodTemplate;
import io.prescale.controller.simulation.cards.SharedCards.Happened;
import io.prescale.controller.simulation.cards.SharedCards.Happened.What;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobEventsTest {
  private static final Instant EIGHT = Instant.parse("2026-01-05T08:00:00Z");
  private static final PausableJob JOB =
      new PausableJob(
          new PodTemplate("demo", "train-1", "training", Map.of("nvidia.com/gpu", 1L), Map.of()),
          1,
          1,
          Duration.ofHours(2));

  private final JobEvents events = new JobEvents();

  private String resumedAfter(Duration pause) {
    events.add(List.of(new Happened(EIGHT, What.SUSPENDED, JOB, Optional.empty())), EIGHT);
    var later = EIGHT.plus(pause);
    events.add(List.of(new Happened(later, What.RESUMED, JOB, Optional.empty())), later);
    return events.events().getFirst().text();
  }

  @Test
  void aPauseIsSaidWithItsBeginning() {
    assertThat(resumedAfter(Duration.ofMinutes(9)))
        .isEqualTo("train-1, paused since 08:00, goes on, on cards that no service needs.");
  }

  @Test
  void aPauseWithinAMinuteIsNot() {
    assertThat(resumedAfter(Duration.ZERO))
        .isEqualTo("train-1 goes on, on cards that no service needs.");
  }
}
