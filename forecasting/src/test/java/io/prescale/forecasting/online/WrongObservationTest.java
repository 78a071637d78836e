package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.SyntheticSeries;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A noisy daily cycle of which one minute is fifty times too high, beside one that lacks it. */
class WrongObservationTest {
  private static final PeakSettings SETTINGS = TestingSettings.refittedEvery(Duration.ofHours(12));
  private static final int WRONG = 3 * DAY + 13 * 60;
  private static final int LEAD_AND_WINDOW = 10;

  private final double[] demand =
      SyntheticSeries.minutes(4 * DAY + 13 * 60)
          .plus(100)
          .plus(SyntheticSeries.workday(150))
          .noise(8, 0.7, 1)
          .build()
          .toArray();

  private int refits;

  @Test
  void nothingOfItIsLearnedWhetherInForecastsOrInTheirErrors() {
    var with = new PeakForecaster(START, SETTINGS);
    var without = new PeakForecaster(START, SETTINGS);
    for (int t = 0; t < demand.length; t++) {
      observe(with, t == WRONG ? 50 * demand[t] : demand[t]);
      int refitsWith = refits;
      observe(without, t == WRONG ? Double.NaN : demand[t]);
      assertThat(refitsWith).as("refits until minute %d", t).isEqualTo(refits - refitsWith);
      refits = 0;
      if (t > WRONG + LEAD_AND_WINDOW) {
        assertSame(with, without, t);
      }
    }
  }

  private void observe(PeakForecaster forecaster, double value) {
    forecaster.observe(value);
    if (forecaster.refitDue()) {
      forecaster.adopt(forecaster.refit().compute());
      refits++;
    }
  }

  private static void assertSame(PeakForecaster with, PeakForecaster without, int t) {
    for (double level : new double[] {0.5, 0.95, 0.998}) {
      double expected = without.forecast().orElseThrow().quantile(level);
      assertThat(with.forecast().orElseThrow().quantile(level))
          .as("quantile %s at minute %d", level, t)
          .isCloseTo(expected, within(0.02 * expected));
    }
  }

  @Test
  void aSurgeIsJudgedOnceTheNextMinuteConfirmsIt() {
    var forecaster = new PeakForecaster(START, SETTINGS);
    for (int t = 0; t < WRONG; t++) {
      forecaster.observe(demand[t]);
    }

    forecaster.observe(5_000);
    assertThat(forecaster.confirmedUntil()).isEqualTo(forecaster.next().minusSeconds(60));
    assertThat(forecaster.forecast().orElseThrow().quantile(0.95)).isGreaterThan(5_000);
    forecaster.observe(5_000);
    assertThat(forecaster.confirmedUntil()).isEqualTo(forecaster.next());
  }

  @Test
  void oneThatIsSavedInTheMinuteOfTheWrongValueStillDoubtsIt() {
    var saving = new PeakForecaster(START, SETTINGS);
    for (int t = 0; t < WRONG; t++) {
      saving.observe(demand[t]);
    }
    saving.observe(5_000);

    var restored = PeakForecaster.restore(saving.save(), SETTINGS);

    assertThat(restored)
        .isInstanceOfSatisfying(
            PeakForecaster.Restored.Ok.class,
            ok -> assertThat(ok.forecaster().confirmedUntil()).isEqualTo(saving.confirmedUntil()));
  }
}
