package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ColdStartTest {

  private static final Duration P50 = Duration.ofSeconds(100);
  private static final Duration P90 = Duration.ofMinutes(3);

  @Test
  void aConstantOneIsAlwaysTheSame() {
    var coldStart = new ColdStart.Constant(P50);

    assertThat(coldStart.draw(new SplittableRandom(1))).isEqualTo(P50);
    assertThat(coldStart.planned()).isEqualTo(P50);
  }

  @Test
  void anEvenlySpreadOneKeepsToBothPercentiles() {
    double[] seconds = sortedDraws(new ColdStart.Uniform(P50, P90));

    assertThat(seconds[5_000]).isCloseTo(100, within(3.0));
    assertThat(seconds[9_000]).isCloseTo(180, within(3.0));
    assertThat(seconds[0]).isBetween(0.0, 1.0);
    assertThat(seconds[9_999]).isBetween(199.0, 200.0);
  }

  @Test
  void aSpreadThatWouldBeginBelowZeroBeginsAtZero() {
    double[] seconds =
        sortedDraws(new ColdStart.Uniform(Duration.ofSeconds(10), Duration.ofSeconds(180)));

    assertThat(seconds[0]).isZero();
    assertThat(seconds[5_000]).isCloseTo(10, within(10.0));
  }

  @Test
  void aLogNormalOneKeepsToBothPercentiles() {
    double[] seconds = sortedDraws(new ColdStart.LogNormal(P50, P90));

    assertThat(seconds[5_000]).isCloseTo(100, within(3.0));
    assertThat(seconds[9_000]).isCloseTo(180, within(4.0));
    assertThat(seconds[9_999]).isGreaterThan(400);
  }

  @Test
  void plansForNineReplicasInTen() {
    assertThat(new ColdStart.Uniform(P50, P90).planned()).isEqualTo(P90);
    assertThat(new ColdStart.LogNormal(P50, P90).planned()).isEqualTo(P90);
  }

  @Test
  void refusesPercentilesThatContradictEachOther() {
    assertThatThrownBy(() -> new ColdStart.Uniform(P90, P50))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ColdStart.LogNormal(P90, P50))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ColdStart.LogNormal(Duration.ZERO, P50))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ColdStart.Constant(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static double[] sortedDraws(ColdStart coldStart) {
    var random = new SplittableRandom(7);
    return IntStream.range(0, 10_000)
        .mapToDouble(i -> coldStart.draw(random).toNanos() / 1e9)
        .sorted()
        .toArray();
  }
}
