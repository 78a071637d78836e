package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.lab.Recording.Moment;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RecordingTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  /** Capacity of 10 a replica: overloaded from second 2 to second 6 of 10. */
  private static final Recording RECORDING =
      new Recording(
          "chat",
          10,
          List.of(
              moment(0, 15, 20, 2),
              moment(2, 25, 20, 2),
              moment(6, 25, 30, 3),
              moment(10, 1, 1, 3)));

  @Test
  void weighsEachMomentByItsTime() {
    assertThat(RECORDING.overloadedShare()).isCloseTo(0.4, within(1e-12));
    assertThat(RECORDING.replicaHours()).isCloseTo((6 * 2 + 4 * 3) / 3600.0, within(1e-12));
  }

  @Test
  void tellsWhenALevelWasReached() {
    assertThat(RECORDING.demandReached(25, START)).contains(START.plusSeconds(2));
    assertThat(RECORDING.demandReached(25, START.plusSeconds(3))).contains(START.plusSeconds(6));
    assertThat(RECORDING.servedReached(30, START)).contains(START.plusSeconds(6));
    assertThat(RECORDING.capacityReached(20, START)).contains(START);
    assertThat(RECORDING.capacityReached(31, START)).isEmpty();
  }

  @Test
  void drawsItselfWithItsFigures() {
    var page = RunChart.html("Two & two", List.of(RECORDING, RECORDING));

    assertThat(page)
        .startsWith("<!doctype html>")
        .contains("Two &amp; two")
        .contains("overloaded 40.0&#8239;% of the time")
        .doesNotContain("NaN", "Infinity", "http://", "https://", "<script");
    assertThat(page.split("<svg ", -1)).hasSize(3);
  }

  @Test
  void refusesNothing() {
    assertThatThrownBy(() -> new Recording("chat", 10, List.of(moment(0, 1, 1, 1))))
        .hasMessage("nothing was recorded of chat");
  }

  private static Moment moment(int second, double demand, double served, int ready) {
    return new Moment(START.plusSeconds(second), demand, OptionalDouble.of(served), ready, ready);
  }
}
