package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static io.prescale.forecasting.SyntheticSeries.WEEK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.online.PeakForecaster.Restored;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** School holidays of weeks, declared with the factor 0.4, of a service that follows the day. */
class LongEventTest {
  private static final double FACTOR = 0.4;

  /** After two weeks, for three; as much is remembered as lies before it. */
  @Test
  void forecastsStayAsGoodThroughAnEventOfThreeWeeksAndAfterIt() {
    int begin = 2 * WEEK;
    int end = 5 * WEEK;
    var settings = settings(begin, end);
    var run = PeakRun.of(settings, START, demand(end + 3 * DAY, begin, end));

    double usual = run.medianError(begin - 3 * DAY, begin - 10);
    assertThat(run.medianError(end - 3 * DAY, end - 10)).isLessThan(1.1 * FACTOR * usual);
    assertThat(run.medianError(end, end + DAY)).as("after it").isLessThan(1.1 * usual);
    assertThat(run.coverage(0.9, begin, end - 10)).as("in it").isBetween(0.87, 0.93);
    assertThat(run.coverage(0.9, end, end + 2 * DAY)).as("after it").isBetween(0.85, 0.95);
  }

  @Test
  void aServiceThatIsFirstSeenInTheMiddleOfOneIsLearned() {
    var settings = settings(-WEEK, 3 * WEEK);
    var values = demand(5 * DAY, -WEEK, 3 * WEEK);
    var run = PeakRun.of(settings, START, values);
    assertThat(boosted(run.newest())).isGreaterThan(0.5);
    assertThat(run.coverage(0.9, 2 * DAY, 5 * DAY - 10)).isBetween(0.85, 0.95);

    var saved = PeakForecaster.restore(run.forecaster.save(), settings);
    var restored = ((Restored.Ok) saved).forecaster();
    double median = run.newest().quantile(0.5);
    assertThat(restored.forecast().orElseThrow().quantile(0.5))
        .isCloseTo(median, within(0.03 * median));
  }

  /** As declared is 0.4, as it happened 0.5. */
  @Test
  void aFactorThatIsWrongByAQuarterIsNoticedForADayAfterTheEvent() {
    int begin = WEEK;
    int end = 2 * WEEK;
    var values = demand(end + 2 * DAY + 10, begin, end);
    for (int i = begin; i < end; i++) {
      values[i] *= 1.25;
    }
    var run = PeakRun.of(settings(begin, end), START, values);

    double usual = run.medianError(begin - 2 * DAY, begin - 10);
    double inside = run.medianError(end - 2 * DAY, end - 10);
    double dayAfter = run.medianError(end, end + DAY);
    double nextDay = run.medianError(end + DAY, end + 2 * DAY);
    assertThat(inside / usual).isLessThan(0.55);
    assertThat(dayAfter / usual).isLessThan(2);
    assertThat(nextDay / usual).isLessThan(1.2);
  }

  private static double boosted(QuantileForecast forecast) {
    return forecast.parts().weights().stream()
        .filter(it -> it.forecaster().startsWith("boosted"))
        .mapToDouble(ForecastParts.Weight::share)
        .sum();
  }

  private static PeakSettings settings(int begin, int end) {
    var event = new Event("holidays", at(begin), at(end), OptionalDouble.of(FACTOR));
    return TestingSettings.remembering(
            Duration.ofDays(14), TestingSettings.refittedEvery(Duration.ofDays(1)))
        .withCalendar(new EventCalendar(List.of(event), List.of()));
  }

  private static double[] demand(int minutes, int begin, int end) {
    double[] values =
        SyntheticSeries.minutes(minutes)
            .plus(60)
            .plus(SyntheticSeries.workday(200))
            .plus(i -> i % 60 < 10 ? 60 : 0)
            .noise(6, 0.8, 3)
            .build()
            .toArray();
    Arrays.setAll(values, i -> i >= begin && i < end ? FACTOR * values[i] : values[i]);
    return values;
  }

  private static Instant at(int minute) {
    return START.plus(Duration.ofMinutes(minute));
  }
}
