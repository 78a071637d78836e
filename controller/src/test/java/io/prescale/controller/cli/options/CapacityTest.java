package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityTest {
  private static final TimeSeries ZERO_TO_HUNDRED =
      series(IntStream.rangeClosed(0, 100).mapToDouble(i -> 100 - i).toArray());

  @Test
  void isANumberInTheUnitOfTheTrace() {
    assertThat(Capacity.parse("12.5").perReplica(ZERO_TO_HUNDRED)).hasValue(12.5);
  }

  @Test
  void isAPercentileOfTheTraceOverReplicas() {
    assertThat(Capacity.parse("p99.9/24").perReplica(ZERO_TO_HUNDRED)).hasValue(99.9 / 24);
    assertThat(Capacity.parse("p50/1").perReplica(ZERO_TO_HUNDRED)).hasValue(50);
    assertThat(Capacity.parse("p100/2.5").perReplica(ZERO_TO_HUNDRED)).hasValue(40);
  }

  @Test
  void leavesMissingStepsOut() {
    assertThat(Capacity.parse("p50/1").perReplica(series(Double.NaN, 1, 3, Double.NaN)))
        .hasValue(2);
    assertThat(Capacity.parse("p50/1").perReplica(series(Double.NaN))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fifty", "p99.9", "p/24", "p101/24", "99.9/24", "p99.9/24/2"})
  void refusesWhatIsNeitherWithExamples(String text) {
    assertThatThrownBy(() -> Capacity.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(
            "is not a capacity; write a number in the unit of the trace, such as 50, or a"
                + " percentile of the trace divided by a number of replicas, such as p99.9/24");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "Infinity"})
  void refusesCapacitiesThatCarryNothing(String text) {
    assertThatThrownBy(() -> Capacity.parse(text))
        .hasMessage("a replica's capacity must be a positive number, not " + text);
  }

  @Test
  void refusesPercentilesAndReplicasThatDoNotExist() {
    assertThatThrownBy(() -> Capacity.parse("p0/24"))
        .hasMessage("a percentile must be above 0 and at most 100, not 0");
    assertThatThrownBy(() -> Capacity.parse("p50/0"))
        .hasMessage("at least one replica is needed, not 0");
  }

  private static TimeSeries series(double... values) {
    return TimeSeries.of(Instant.EPOCH, Duration.ofMinutes(1), values);
  }
}
