package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeakMorningTest {
  @ParameterizedTest
  @CsvSource({
    "0, 8, 8",
    "37, 8, 8",
    "38, 8, 10",
    "50, 10, 18",
    "83, 32, 32",
    "124, 32, 32",
    "125, 30, 30",
    "158, 8, 8",
    "210, 8, 8"
  })
  void replicasAreWantedALeadAheadAndNoLonger(int second, int needed, int wanted) {
    assertThat(PeakMorning.needed(Duration.ofSeconds(second))).isEqualTo(needed);
    assertThat(PeakMorning.wanted(Duration.ofSeconds(second))).isEqualTo(wanted);
  }

  @Test
  void theNeedsAreNestedAndEndWhenTheirReplicasGo() {
    var needs = PeakMorning.needs(Instant.parse("2026-11-24T08:00:00.9Z"));

    assertThat(needs)
        .startsWith(
            "[{from: \"2026-11-24T08:00:33Z\", until: \"2026-11-24T08:02:38Z\", replicas: 10,"
                + " percent: 95}")
        .endsWith(
            "{from: \"2026-11-24T08:01:06Z\", until: \"2026-11-24T08:02:05Z\", replicas: 32,"
                + " percent: 95}]");
  }
}
