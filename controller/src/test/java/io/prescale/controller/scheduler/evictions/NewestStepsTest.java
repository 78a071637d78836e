package io.prescale.controller.scheduler.evictions;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.scheduler.evictions.NewestSteps.Step;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NewestStepsTest {
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

  private final NewestSteps steps = new NewestSteps();

  @Test
  void whatIsRepeatedOfAnObjectWithinTheHourIsOneStep() {
    add(0, "Pod team/a", "It waits.");
    add(1, "Pod team/a", "It waits.");
    add(2, "Pod team/b", "It waits.");
    add(3, "Pod team/a", "Evicted.");
    add(4, "Pod team/a", "It waits.");
    add(64, "Pod team/a", "It waits.");

    assertThat(steps.all())
        .extracting(step -> step.object() + ": " + step.sentence())
        .containsExactly(
            "Pod team/a: It waits.",
            "Pod team/a: It waits.",
            "Pod team/a: Evicted.",
            "Pod team/b: It waits.",
            "Pod team/a: It waits.");
  }

  @Test
  void theOldestOfMoreThanAHundredIsForgotten() {
    for (int i = 0; i < 130; i++) {
      add(i, "Pod team/" + i, "Evicted.");
    }
    assertThat(steps.all()).hasSize(100);
    assertThat(steps.all().getFirst().object()).isEqualTo("Pod team/129");
    assertThat(steps.all().getLast().object()).isEqualTo("Pod team/30");
  }

  private void add(int minute, String object, String sentence) {
    steps.add(new Step(NOON.plusSeconds(60L * minute), object, sentence));
  }
}
