package io.prescale.controller.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.web.MinuteTable.Column;
import io.prescale.forecasting.online.ForecastParts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MinuteTableTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final MinuteTable table = new MinuteTable(NOON);

  private WorkloadSeries series() {
    return table.series(
        "chat",
        "requests",
        NOON,
        Duration.ofSeconds(90),
        Duration.ofMinutes(5),
        OptionalDouble.of(4),
        List.of(mark(120), mark(-60), mark(60)));
  }

  private static Mark mark(int seconds) {
    return new Mark(NOON.plusSeconds(seconds), Mark.Kind.REFIT, "The models were fitted.");
  }

  @Test
  void marksAscendFromItsFirstMinuteOn() {
    assertThat(series().marks()).containsExactly(mark(60), mark(120));
  }

  @Test
  void isEmptyBeforeAnythingIsFilledIn() {
    assertThat(series().time()).isEmpty();
    assertThat(series().demand()).isEmpty();
    assertThat(series().leadSeconds()).isEqualTo(90);
  }

  @Test
  void everyColumnIsAsLongAsTheTimesAndUnknownWhereNothingWasFilledIn() {
    table.put(Column.DEMAND, NOON.plusSeconds(119), 7);
    table.put(Column.READY, NOON, 2);

    assertThat(series().time()).containsExactly(NOON.getEpochSecond(), NOON.getEpochSecond() + 60);
    assertThat(series().demand()).containsExactly(OptionalDouble.empty(), OptionalDouble.of(7));
    assertThat(series().ready()).containsExactly(OptionalDouble.of(2), OptionalDouble.empty());
    assertThat(series().p95()).containsExactly(OptionalDouble.empty(), OptionalDouble.empty());
  }

  @Test
  void aForecastStandsAtTheMinuteThatItIsAbout() {
    table.put(
        new ForecastSummary(
            NOON,
            Duration.ofSeconds(150),
            Duration.ofMinutes(5),
            1,
            2,
            3,
            4,
            new ForecastParts(1, 0, 0, 0, 0, List.of())));

    assertThat(series().p50())
        .containsExactly(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.of(1));
    assertThat(series().p90().getLast()).hasValue(2);
    assertThat(series().p95().getLast()).hasValue(3);
  }

  @Test
  void leavesOutWhatWasBeforeItsBeginning() {
    table.put(Column.SERVED, NOON.minusSeconds(1), 7);

    assertThat(series().served()).isEmpty();
  }
}
