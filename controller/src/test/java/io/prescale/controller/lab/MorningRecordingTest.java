package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.lab.MorningRecording.Sample;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MorningRecordingTest {
  private static Sample sample(int second, int needed, int ready, int training) {
    return new Sample(Duration.ofSeconds(second), needed, ready, training);
  }

  /** Overloaded from second 10 to second 30 of 40. */
  private static final MorningRecording RECORDING =
      new MorningRecording(
          "booked",
          List.of(
              sample(0, 8, 8, 56),
              sample(10, 12, 8, 56),
              sample(30, 12, 12, 50),
              sample(40, 12, 12, 0)),
          List.of(Duration.ofMillis(640), Duration.ofMillis(1640)),
          6,
          1);

  @Test
  void eachSampleCountsUntilTheNext() {
    assertThat(RECORDING.overloadedSeconds()).isCloseTo(20, within(1e-9));
    assertThat(RECORDING.trainingCardHours()).isCloseTo((30 * 56 + 10 * 50) / 3600.0, within(1e-9));
    assertThat(MorningRecording.table(List.of(RECORDING)))
        .endsWith("| booked | 20.0 s | 0.61 card-hours | 1 of 2 | 1.6 s | 6 | 1 |\n");
  }

  @Test
  void theDrawingHasAPanelForEach() {
    var svg = MorningChart.svg(List.of(RECORDING, RECORDING));

    assertThat(svg).startsWith("<svg xmlns").endsWith("</svg>\n").doesNotContain("NaN", "Infinity");
    assertThat(svg.split("class=\"name\"", -1)).hasSize(3);
    assertThat(svg.split("<rect class=\"overload\"", -1)).as("with the key").hasSize(4);
  }

  @Test
  void nothingIsRefused() {
    assertThatThrownBy(
            () -> new MorningRecording("none", List.of(sample(0, 8, 8, 56)), List.of(), 0, 0))
        .hasMessage("nothing was recorded of none");
  }
}
