package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PeakForecasterHistoryTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void givesBackWhatWasObservedEventsIncluded() {
    var sale = new Event("sale", at(2), at(3), OptionalDouble.of(4));
    var settings =
        PeakSettings.forLead(MINUTE).withCalendar(new EventCalendar(List.of(sale), List.of()));
    var forecaster = observing(settings, 1, Double.NaN, 40, 3);

    assertThat(forecaster.history()).isEqualTo(TimeSeries.of(START, MINUTE, 1, Double.NaN, 40, 3));
    assertThat(forecaster.ordinary())
        .isEqualTo(TimeSeries.of(START, MINUTE, 1, Double.NaN, Double.NaN, 3));
    assertThat(forecaster.history().end()).isEqualTo(forecaster.next());
    assertThat(forecaster.settings()).isEqualTo(settings);
  }

  @Test
  void findsTheHighestInAStretchThatIsHalfKnown() {
    var forecaster =
        observing(PeakSettings.forLead(MINUTE), 5, Double.NaN, 2, Double.NaN, Double.NaN, 9);

    assertThat(forecaster.highest(at(0), at(3))).hasValue(5);
    assertThat(forecaster.highest(at(1), at(3))).hasValue(2);
    assertThat(forecaster.highest(at(2), at(5))).as("a third").isEmpty();
    assertThat(forecaster.highest(at(5), at(7))).as("half of it is to come").hasValue(9);
    assertThat(forecaster.highest(at(6), at(8))).isEmpty();
    assertThat(forecaster.highest(at(-9), at(1))).isEmpty();
    assertThat(forecaster.highest(Instant.EPOCH, at(1))).isEmpty();
    assertThat(forecaster.highest(at(0).plusSeconds(1), at(3))).as("from step 1").hasValue(2);
  }

  /** Closed for two hours of the fifth day; the window begins five minutes ahead. */
  @Test
  void demandIsExpectedBackWhenADeclaredClosureEnds() {
    int begins = 4 * DAY + 13 * 60;
    var closed = new Event("closed", at(begins), at(begins + 120), OptionalDouble.of(0));
    var calendar = new EventCalendar(List.of(closed), List.of());
    var settings = TestingSettings.refittedEvery(Duration.ofHours(12)).withCalendar(calendar);
    var random = new SplittableRandom(1);
    var values = new double[begins + 120];
    Arrays.setAll(values, i -> i < begins ? random.nextDouble(97, 103) : 0);
    var run = PeakRun.of(settings, START, values);

    assertThat(run.after(begins + 60).orElseThrow().quantile(0.95)).as("within").isZero();
    var atTheEnd = run.after(begins + 115).orElseThrow();
    assertThat(atTheEnd.quantile(0.5)).isBetween(98.0, 106.0);
    assertThat(atTheEnd.quantile(0.95)).isBetween(100.0, 112.0);
  }

  private static PeakForecaster observing(PeakSettings settings, double... values) {
    var forecaster = new PeakForecaster(START, settings);
    for (double value : values) {
      forecaster.observe(value);
    }
    return forecaster;
  }

  private static Instant at(int minute) {
    return START.plus(MINUTE.multipliedBy(minute));
  }
}
