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
  private static final double NOISE = 4;

  private static Outlook outlook(int days, Duration late) throws InterruptedException {
    return outlook(days, 540, 0, late);
  }

  /**
   * Of days.
   *
   * @param morning the minute in which the demand rises
   * @param unknown how many of the last minutes are not known
   */
  private static Outlook outlook(int days, int morning, int unknown, Duration late)
      throws InterruptedException {
    var random = new SplittableRandom(7);
    var values = new double[days * DAY];
    for (int i = 0; i < values.length; i++) {
      int minute = i % DAY;
      values[i] = (minute >= morning && minute < 1020 ? 100 : 20) + NOISE * random.nextGaussian();
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
    // The highest of 15 normal deviates lies 1.74 standard deviations above their mean.
    assertThat(ahead.path().quantile(10, 0.5)).isCloseTo(20 + 1.74 * NOISE, within(3.0));
    assertThat(ahead.path().quantile(48, 0.5)).isCloseTo(100 + 1.74 * NOISE, within(5.0));
    // Three days were forecast a day ahead and have come.
    assertThat(ahead.past()).hasSize(3 * 96);
    assertThat(ahead.past().values()).allMatch(level -> level > 0 && level < 1);
    assertThat(ahead.past().values().stream().mapToDouble(it -> it).average().orElseThrow())
        .isBetween(0.3, 0.7);
  }

  @Test
  void whatRisesWithinAStepIsForecastInFull() throws InterruptedException {
    var path = ((Outlook.Known) outlook(6, 550, 0, Duration.ZERO)).ahead().path();

    assertThat(path.quantile(35, 0.5)).isLessThan(40);
    assertThat(path.quantile(36, 0.5))
        .as("of 09:00 to 09:15, five minutes of which are high")
        .isCloseTo(100 + 1.16 * NOISE, within(10.0));
  }

  @Test
  void tooLittleOrTooOldIsSaid() throws InterruptedException {
    assertThat(outlook(6, Duration.ofMinutes(11)))
        .isInstanceOfSatisfying(
            Outlook.Unknown.class, it -> assertThat(it.sentence()).contains("11 min old"));
    assertThat(outlook(6, 540, 9, Duration.ofMinutes(3)))
        .isInstanceOfSatisfying(
            Outlook.Unknown.class, it -> assertThat(it.sentence()).contains("12 min old"));
    var brief = TimeSeries.of(START, Duration.ofMinutes(1), 1, Double.NaN, 3);
    assertThat(DayAhead.of(brief, STEP, ForecastSettings.defaults(), 4, brief.end()))
        .isInstanceOfSatisfying(
            Outlook.Unknown.class, it -> assertThat(it.sentence()).contains("24 h"));
  }

  @Test
  void twoWeeksHaveAllTheirStepsInWhateverMinuteTheyBegin() {
    for (int minute = 0; minute < 15; minute++) {
      double[] values = new double[14 * DAY];
      values[0] = 5;
      var begin = START.plus(Duration.ofMinutes(minute));
      var steps = DayAhead.highest(TimeSeries.of(begin, Duration.ofMinutes(1), values), STEP);

      assertThat(steps.size()).as("from minute %d", minute).isEqualTo(14 * 96);
      assertThat(steps.start()).isEqualTo(START);
      assertThat(steps.value(0)).isEqualTo(5);
    }
  }
}
