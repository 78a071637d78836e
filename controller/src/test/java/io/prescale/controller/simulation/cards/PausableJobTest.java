package io.prescale.controller.simulation.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PausableJobTest {
  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");
  private static final PodTemplate TEMPLATE =
      new PodTemplate("research", "job", "training", Map.of("nvidia.com/gpu", 2L), Map.of());

  private final PausableJob job = new PausableJob(TEMPLATE, 2, 4, Duration.ofHours(2));

  @Test
  void worksOnceItHasStarted() {
    job.create(NOON);

    assertThat(job.pass(Duration.ofMinutes(3))).isEqualTo(Duration.ZERO);
    assertThat(job.pass(Duration.ofMinutes(3))).isEqualTo(Duration.ofMinutes(1));
    assertThat(job.pass(Duration.ofMinutes(60))).isEqualTo(Duration.ofMinutes(60));
    assertThat(job.pass(Duration.ofMinutes(60))).isEqualTo(Duration.ofMinutes(59));
    assertThat(job.isComplete()).isTrue();
  }

  @Test
  void losesWhatItDidSinceItsLastCheckpoint() {
    job.create(NOON);
    job.pass(Duration.ofMinutes(5 + 40));

    assertThat(job.suspend(NOON)).isEqualTo(Duration.ofMinutes(10));
    assertThat(job.suspended()).contains(NOON);
    assertThat(job.pods()).isEmpty();

    job.create(NOON.plusSeconds(60));
    assertThat(job.pods()).containsExactly("job-1-0", "job-1-1");
    assertThat(job.suspended()).isEmpty();
    assertThat(job.pass(Duration.ofMinutes(5 + 90))).isEqualTo(Duration.ofMinutes(90));
    assertThat(job.isComplete()).isTrue();
  }

  @Test
  void losesNothingIfItHadTimeToSave() {
    job.create(NOON);
    job.pass(Duration.ofMinutes(5 + 40));
    job.checkpoint();

    assertThat(job.suspend(NOON)).isEqualTo(Duration.ZERO);
  }

  @Test
  void itsPodsAreAGang() {
    assertThat(job.create(NOON))
        .allSatisfy(pod -> assertThat(pod.group().orElseThrow().size()).isEqualTo(2));
    var alone = new PausableJob(TEMPLATE, 1, 2, Duration.ofHours(1));
    assertThat(alone.create(NOON).getFirst().group()).isEmpty();
  }

  @Test
  void refusesWhatIsNoJob() {
    assertThatThrownBy(() -> new PausableJob(TEMPLATE, 0, 1, Duration.ofHours(1)))
        .hasMessageContaining("0 pods");
    assertThatThrownBy(() -> new PausableJob(TEMPLATE, 1, 1, Duration.ZERO))
        .hasMessageContaining("PT0S");
  }
}
