package io.prescale.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.plan.DayAhead.Outlook;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A day ahead of a service with office hours, and what came of the forecasts before. */
class DayAheadTest {
  private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(15);
  private static final int DAY = 1440;

  private static Outlook outlook(int days, Duration late) throws InterruptedException {
    return outlook(days, 0, late);
  }

  /** Of days whose last minutes are not known. */
  private static Outlook outlook(int days, int unknown, Duration late) throws InterruptedException {
    var random = new SplittableRandom(7);
    var values = new double[days * DAY];
    for (int i = 0; i < values.length; i++) {
      int minute = i % DAY;
      values[i] = (minute >= 540 && minute < 1020 ? 100 : 20) + 4 * random.nextGaussian();
    }
    Arrays.fill(values, values.length - unknown, values.length, Double.NaN);
    var history = TimeSeries.of(START, Duration.ofMinutes(1), values);
    return DayAhead.of(history, STEP, ForecastSettings.defaults(), 4, history.end().plus(late));
  }

  @Test
  void theMorningIsForecastAndTheDaysBeforeAreScored() throws InterruptedException {
    var ahead = ((Outlook.Known) outlook(6, Duration.ZERO)).ahead();

    assertThat(ahead.path().origin()).isEqualTo(START.plus(Duration.ofDays(6)));
    assertThat(ahead.path().steps()).isEqualTo(96);
    assertThat(ahead.path().quantile(10, 0.5)).isCloseTo(20, within(5.0));
    assertThat(ahead.path().quantile(48, 0.5)).isCloseTo(100, within(10.0));
    // Three days were forecast a day ahead and have come.
    assertThat(ahead.past()).hasSize(3 * 96);
    assertThat(ahead.past().values()).allMatch(level -> level > 0 && level < 1);
    assertThat(ahead.past().values().stream().mapToDouble(it -> it).average().orElseThrow())
        .isBetween(0.3, 0.7);
  }

  @Test
  void tooLittleOrTooOldIsSaid() throws InterruptedException {
    assertThat(outlook(6, Duration.ofMinutes(11)))
        .isInstanceOfSatisfying(
            Outlook.Unknown.class, it -> assertThat(it.sentence()).contains("11 min old"));
    assertThat(outlook(6, 9, Duration.ofMinutes(3)))
        .isInstanceOfSatisfying(
            Outlook.Unknown.class, it -> assertThat(it.sentence()).contains("12 min old"));
    var brief = TimeSeries.of(START, Duration.ofMinutes(1), 1, Double.NaN, 3);
    assertThat(DayAhead.of(brief, STEP, ForecastSettings.defaults(), 4, brief.end()))
        .isInstanceOfSatisfying(
            Outlook.Unknown.class, it -> assertThat(it.sentence()).contains("24 h"));
  }
}
