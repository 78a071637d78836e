package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CoverageTest {

  /** With a lead of 1 and a window of 2, the maxima to forecast are 5, 5, 4 and then unknown. */
  private static final double[] DEMAND = {1, 2, 5, 3, 4};

  @Test
  void scoresQuantilesOfTheWindowMaximum() {
    var forecasts = new Quantiles[DEMAND.length];
    Arrays.fill(forecasts, new Quantiles(4, 5, 6, 4.5));

    Coverage coverage = Coverage.of(DEMAND, forecasts, 1, 2);

    // errors e = maximum − quantile: 1, 1, 0
    assertThat(coverage.p50().covered()).isEqualTo(1 / 3.0);
    assertThat(coverage.p50().pinballLoss()).isCloseTo(0.5 * 2 / 3, within(1e-15));
    assertThat(coverage.p50().minutes()).isEqualTo(3);
    // 0, 0, −1
    assertThat(coverage.p90().covered()).isEqualTo(1);
    assertThat(coverage.p90().pinballLoss()).isCloseTo(0.1 / 3, within(1e-15));
    assertThat(coverage.p90().relativePinballLoss()).isCloseTo(0.1 / 3 / 3, within(1e-15));
    // −1, −1, −2
    assertThat(coverage.p95().pinballLoss()).isCloseTo(0.05 * 4 / 3, within(1e-15));
    // 0.5, 0.5, −0.5
    assertThat(coverage.p99().covered()).isEqualTo(1 / 3.0);
    assertThat(coverage.p99().pinballLoss()).isCloseTo((0.99 + 0.005) / 3, within(1e-15));
    assertThat(coverage.p99().level()).isEqualTo(0.99);
  }

  @Test
  void leavesOutMinutesWithoutAForecast() {
    var forecasts = new Quantiles[DEMAND.length];
    Arrays.fill(forecasts, Quantiles.UNKNOWN);
    forecasts[2] = new Quantiles(4, Double.NaN, 3, 5);

    Coverage coverage = Coverage.of(DEMAND, forecasts, 1, 2);

    assertThat(coverage.p50().minutes()).isEqualTo(1);
    assertThat(coverage.p50().covered()).isEqualTo(1);
    assertThat(coverage.p90().minutes()).isZero();
    assertThat(coverage.p90().covered()).isNaN();
    assertThat(coverage.p95().covered()).isZero();
  }

  @Test
  void aWindowPastTheEndScoresNothing() {
    var forecasts = new Quantiles[DEMAND.length];
    Arrays.fill(forecasts, new Quantiles(1, 1, 1, 1));

    assertThat(Coverage.of(DEMAND, forecasts, 5, 5).p50().minutes()).isZero();
  }
}
