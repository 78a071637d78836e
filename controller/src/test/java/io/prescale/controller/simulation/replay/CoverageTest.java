package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CoverageTest {

  /** With a lead of 1 and a window of 2, the maxima to forecast are 5, 5, 4 and then unknown. */
  private static final double[] DEMAND = {1, 2, 5, 3, 4};

  @Test
  void scoresQuantilesOfTheWindowMaximum() {
    var forecasts = always(new Quantiles(4, 5, 6, 4.5));

    Coverage coverage = Coverage.of(DEMAND, forecasts, 1, 2);

    // errors e = maximum − quantile: 1, 1, 0
    assertThat(coverage.p50().covered()).hasValue(1 / 3.0);
    assertThat(coverage.p50().pinballLoss()).hasValueCloseTo(0.5 * 2 / 3, within(1e-15));
    assertThat(coverage.p50().minutes()).isEqualTo(3);
    // 0, 0, −1
    assertThat(coverage.p90().covered()).hasValue(1);
    assertThat(coverage.p90().pinballLoss()).hasValueCloseTo(0.1 / 3, within(1e-15));
    assertThat(coverage.p90().relativePinballLoss()).hasValueCloseTo(0.1 / 3 / 3, within(1e-15));
    // −1, −1, −2
    assertThat(coverage.p95().pinballLoss()).hasValueCloseTo(0.05 * 4 / 3, within(1e-15));
    // 0.5, 0.5, −0.5
    assertThat(coverage.p99().covered()).hasValue(1 / 3.0);
    assertThat(coverage.p99().pinballLoss()).hasValueCloseTo((0.99 + 0.005) / 3, within(1e-15));
    assertThat(coverage.p99().level()).isEqualTo(0.99);
  }

  @Test
  void leavesOutMinutesWithoutAForecast() {
    var forecasts = new ArrayList<Optional<Quantiles>>(Collections.nCopies(5, Optional.empty()));
    forecasts.set(2, Optional.of(new Quantiles(4, 4.5, 3, 5)));

    Coverage coverage = Coverage.of(DEMAND, forecasts, 1, 2);

    assertThat(coverage.p50().minutes()).isEqualTo(1);
    assertThat(coverage.p50().covered()).hasValue(1);
    assertThat(coverage.p95().covered()).hasValue(0);
  }

  @Test
  void aWindowPastTheEndScoresNothing() {
    var forecasts = always(new Quantiles(1, 1, 1, 1));

    var score = Coverage.of(DEMAND, forecasts, 5, 5).p50();

    assertThat(score.minutes()).isZero();
    assertThat(score.covered()).isEmpty();
    assertThat(score.pinballLoss()).isEmpty();
    assertThat(score.relativePinballLoss()).isEmpty();
  }

  @Test
  void aLossHasNoRatioToNoDemand() {
    var score = Coverage.of(new double[5], always(new Quantiles(1, 1, 1, 1)), 1, 2).p50();

    assertThat(score.pinballLoss()).hasValue(0.5);
    assertThat(score.relativePinballLoss()).isEmpty();
  }

  private static List<Optional<Quantiles>> always(Quantiles quantiles) {
    return Collections.nCopies(DEMAND.length, Optional.of(quantiles));
  }
}
