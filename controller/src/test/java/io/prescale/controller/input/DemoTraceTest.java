package io.prescale.controller.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DemoTraceTest {
  private static final int DAY = 24 * 60;

  private final TimeSeries series = series(1);

  @Test
  void coversSeventeenDaysByTheMinute() {
    assertThat(series.step()).isEqualTo(Duration.ofMinutes(1));
    assertThat(series.size()).isEqualTo(17 * DAY);
    assertThat(series.start()).isEqualTo(DemoTrace.START);
  }

  @Test
  void dependsOnTheSeedAndOnNothingElse() {
    assertThat(series(1)).isEqualTo(series);
    assertThat(series(2)).isNotEqualTo(series);
  }

  @Test
  void hasOneOutageWithoutZeros() {
    assertThat(series.size() - series.presentCount()).isEqualTo(DemoTrace.OUTAGE_MINUTES);
    assertThat(series.isMissing(DemoTrace.OUTAGE_FROM)).isTrue();
    assertThat(series.isMissing(DemoTrace.OUTAGE_FROM - 1)).isFalse();
    assertThat(Arrays.stream(series.toArray()).filter(v -> !Double.isNaN(v)).min().orElseThrow())
        .isGreaterThan(30);
  }

  @Test
  void isBusyByDayQuietByNightAndOnSunday() {
    double mondayMorning = mean(7 * DAY + 10 * 60, 60);
    double mondayNight = mean(7 * DAY + 3 * 60, 60);
    double sundayMorning = mean(6 * DAY + 10 * 60, 60);

    assertThat(mondayMorning).isGreaterThan(4 * mondayNight);
    assertThat(mondayMorning).isGreaterThan(1.7 * sundayMorning);
  }

  @Test
  void growsFromWeekToWeek() {
    assertThat(mean(7 * DAY, 5 * DAY)).isBetween(1.05 * mean(0, 5 * DAY), 1.2 * mean(0, 5 * DAY));
  }

  @Test
  void needsUpToAFewDozenReplicas() {
    double peak = Arrays.stream(series.toArray()).filter(v -> !Double.isNaN(v)).max().orElseThrow();

    assertThat(peak / DemoTrace.CAPACITY_PER_REPLICA).isBetween(20.0, 50.0);
  }

  private double mean(int from, int minutes) {
    return IntStream.range(from, from + minutes)
        .mapToDouble(series::value)
        .filter(v -> !Double.isNaN(v))
        .average()
        .orElseThrow();
  }

  private static TimeSeries series(long seed) {
    return TimeSeries.fromSamples(new DemoTrace(seed).read().samples()).series();
  }
}
