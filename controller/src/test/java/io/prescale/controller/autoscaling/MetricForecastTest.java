package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.LEAD;
import static io.prescale.controller.autoscaling.ScalingCycles.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.online.ForecastParts;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MetricForecastTest {
  private static final List<String> GATE = List.of("gate");

  @Test
  void itIsIncompleteUntilItCanBeJudgedAndFollowsTheSeriesThatItMay() {
    assertThat(forecast(Trust.State.LEARNING).isIncomplete(List.of())).isTrue();
    assertThat(forecast(Trust.State.CLOSED).isIncomplete(List.of())).isFalse();
    assertThat(forecast(Trust.State.CLOSED).isIncomplete(GATE)).isTrue();
    assertThat(forecast(Trust.State.CLOSED, "gate").isIncomplete(GATE)).isFalse();
    assertThat(forecast(Trust.State.OPEN).isIncomplete(GATE)).as("not followed now").isFalse();
  }

  private static MetricForecast forecast(Trust.State state, String... followed) {
    var leading =
        List.of(followed).stream()
            .map(it -> new ForecastParts.Leading(it, Duration.ofMinutes(3)))
            .toList();
    var parts = new ForecastParts(1, 0, 0, 0, 0, 0, List.of(), 0, leading);
    var quantiles =
        QuantileForecast.of(
            START, LEAD, LEAD, new double[] {0.5, 0.95}, new double[] {1, 2}, parts);
    var unknown = OptionalDouble.empty();
    return new MetricForecast(
        new StepOutcome("requests", true, Optional.empty()),
        Optional.of(quantiles),
        new Trust(state, Optional.empty(), "", unknown, unknown, unknown, unknown, 0));
  }
}
