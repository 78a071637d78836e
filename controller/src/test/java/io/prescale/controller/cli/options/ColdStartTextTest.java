package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.simulation.replay.ColdStart;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ColdStartTextTest {

  @Test
  void isTheSameForEveryReplica() {
    assertThat(ColdStartText.parse("5m")).isEqualTo(new ColdStart.Constant(Duration.ofMinutes(5)));
  }

  @Test
  void isEvenlySpreadOverARange() {
    var coldStart = ColdStartText.parse("2m..8m");
    var random = new SplittableRandom(2);
    var seconds =
        LongStream.range(0, 10_000)
            .map(i -> coldStart.draw(random).toSeconds())
            .summaryStatistics();

    assertThat(coldStart.planned()).isEqualTo(Duration.ofSeconds(444));
    assertThat(seconds.getMin()).isBetween(120L, 122L);
    assertThat(seconds.getMax()).isBetween(477L, 480L);
    assertThat(seconds.getAverage()).isBetween(297.0, 302.0);
  }

  @Test
  void isLogNormalByTwoPercentiles() {
    assertThat(ColdStartText.parse("p50=4m,p90=9m"))
        .isEqualTo(new ColdStart.LogNormal(Duration.ofMinutes(4), Duration.ofMinutes(9)));
  }

  @Test
  void refusesTheRest() {
    assertThatThrownBy(() -> ColdStartText.parse("fast"))
        .hasMessage(
            "\"fast\" is not a cold start; write a duration such as 5m, a range such as 2m..8m, or"
                + " percentiles such as p50=4m,p90=9m");
    assertThatThrownBy(() -> ColdStartText.parse("8m..2m"))
        .hasMessage("the range of the cold start ends before it begins");
    assertThatThrownBy(() -> ColdStartText.parse("2m.."))
        .hasMessageStartingWith("\"\" is not a duration");
    assertThatThrownBy(() -> ColdStartText.parse("p50=9m,p90=4m"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
