package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.online.PathForecaster.Restored;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathForecasterStateTest {
  private static final PathSettings SETTINGS = settings(15, Duration.ofHours(6), 28);

  @Test
  void aRestoredForecasterForecastsTheSameAfterARefit() {
    var original = new PathForecaster(START, SETTINGS);
    double[] values = ObservedMinutes.of(3 * DAY + 7);
    feed(original, values, 0, 2 * DAY);
    original.refit();
    feed(original, values, 2 * DAY, values.length);
    original.refit();
    var restored = restored(original.save(), SETTINGS);
    assertThat(restored.next()).isEqualTo(original.next());
    assertThat(restored.forecast()).as("at once, without models").isPresent();

    restored.refit();
    assertSameForecast(original, restored, 0.04);
    feed(original, values, 2 * DAY, 2 * DAY + 20);
    feed(restored, values, 2 * DAY, 2 * DAY + 20);
    // Only the original still learns from forecasts that were open when it was saved.
    assertSameForecast(original, restored, 0.04);
  }

  @Test
  void aStepWhoseFirstObservationsWereDroppedIsNotRestored() {
    var twoDays = settings(7, Duration.ofHours(7), 2);
    var original = new PathForecaster(START, twoDays);
    feed(original, ObservedMinutes.of(5000), 0, 5000);
    var restored = restored(original.save(), twoDays);
    original.refit();
    restored.refit();
    assertThat(restored.next()).isEqualTo(original.next());
    for (int h = 0; h < 60; h += 7) {
      double expected = original.forecast().orElseThrow().quantile(h, 0.5);
      assertThat(restored.forecast().orElseThrow().quantile(h, 0.5))
          .isCloseTo(expected, within(0.03 * expected));
    }
  }

  @Test
  void aForecasterThatHasSeenNothingCanBeSaved() {
    var restored = restored(new PathForecaster(START, SETTINGS).save(), SETTINGS);
    assertThat(restored.next()).isEqualTo(START);
    assertThat(restored.forecast()).isEmpty();
  }

  @Test
  void fourWeeksOfMinutesStayUnder40KiB() {
    var forecaster = new PathForecaster(START, SETTINGS);
    feed(forecaster, ObservedMinutes.of(28 * DAY), 0, 28 * DAY);
    assertThat(forecaster.save().length).isBetween(10_000, 40 * 1024);
  }

  @Test
  void refusesTruncationsAndFlippedBits() {
    byte[] saved = saved();
    for (int length = 0; length < saved.length; length += length < 60 ? 1 : 97) {
      assertThat(refusal(Arrays.copyOf(saved, length), SETTINGS)).startsWith("The saved state ");
    }
    for (int bit = 0; bit < 8 * saved.length; bit += bit < 400 ? 1 : 61) {
      byte[] flipped = saved.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(refusal(flipped, SETTINGS)).as("bit %d", bit).startsWith("The saved state ");
    }
  }

  @Test
  void refusesThatOfAPeakForecaster() {
    var peak = new PeakForecaster(START, PeakSettings.forLead(Duration.ofMinutes(5)));
    assertThat(refusal(peak.save(), SETTINGS))
        .isEqualTo("The saved state is not one of a path forecaster.");
    assertThat(PeakForecaster.restore(saved(), PeakSettings.forLead(Duration.ofMinutes(5))))
        .isEqualTo(
            new PeakForecaster.Restored.Refused(
                "The saved state is not one of a peak forecaster."));
  }

  @ParameterizedTest
  @CsvSource({
    "5, PT6H, 'is for steps of 15 observations up to 360 ahead, one every PT1M; the settings ask"
        + " for 5, 360 and PT1M'",
    "15, PT12H, 'is for steps of 15 observations up to 360 ahead, one every PT1M; the settings ask"
        + " for 15, 720 and PT1M'",
  })
  void refusesAnotherTask(int stepMinutes, Duration horizon, String reason) {
    assertThat(refusal(saved(), settings(stepMinutes, horizon, 28)))
        .isEqualTo("The saved state " + reason + ".");
  }

  @Test
  void refusesMoreObservationsThanAreKept() {
    var forecaster = new PathForecaster(START, SETTINGS);
    feed(forecaster, ObservedMinutes.of(2 * DAY), 0, 2 * DAY);
    assertThat(refusal(forecaster.save(), settings(15, Duration.ofHours(6), 1)))
        .isEqualTo("The saved state claims 2880 observations, at most 1440 are kept.");
  }

  @Test
  void refusesNumbersThatCannotHaveBeenLearned() {
    int numbers = calibration(Float.NaN, -1).length;
    for (int at = 0; at < numbers; at++) {
      float[] damaged = calibration(Float.NaN, at);
      assertThat(refusal(state(damaged), SETTINGS)).as("number %d", at).contains("no ");
    }
    assertThat(PathForecaster.restore(state(calibration(0, -1)), SETTINGS))
        .isInstanceOf(Restored.Ok.class);
  }

  /** The calibration of a new forecaster, with one number changed. */
  private static float[] calibration(float number, int at) {
    var view = new PathForecaster(START, SETTINGS);
    float[] calibration = view.learned();
    if (at >= 0) {
      calibration[at] = number;
    }
    return calibration;
  }

  private static byte[] state(float[] calibration) {
    return new ForecasterState(
            ForecasterState.Kind.PATH,
            Duration.ofMinutes(1),
            15,
            360,
            START,
            new float[0],
            calibration,
            new int[0])
        .toBytes();
  }

  private static byte[] saved() {
    var forecaster = new PathForecaster(START, SETTINGS);
    feed(forecaster, ObservedMinutes.of(100), 0, 100);
    return forecaster.save();
  }

  private static void assertSameForecast(
      PathForecaster original, PathForecaster restored, double tolerance) {
    var expected = original.forecast().orElseThrow();
    var actual = restored.forecast().orElseThrow();
    assertThat(actual.origin()).isEqualTo(expected.origin());
    for (int h = 0; h < expected.steps(); h++) {
      for (double level : new double[] {0.1, 0.5, 0.95}) {
        double value = expected.quantile(h, level);
        assertThat(actual.quantile(h, level))
            .as("step %d", h)
            .isCloseTo(value, within(tolerance * value));
      }
    }
  }

  private static String refusal(byte[] saved, PathSettings settings) {
    return switch (PathForecaster.restore(saved, settings)) {
      case Restored.Refused(var reason) -> reason;
      case Restored.Ok _ -> throw new AssertionError("was accepted");
    };
  }

  private static PathForecaster restored(byte[] saved, PathSettings settings) {
    return switch (PathForecaster.restore(saved, settings)) {
      case Restored.Ok(var forecaster) -> forecaster;
      case Restored.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  private static PathSettings settings(int stepMinutes, Duration horizon, int rememberDays) {
    return new PathSettings(
        Duration.ofMinutes(1),
        Duration.ofMinutes(stepMinutes),
        horizon,
        ZoneOffset.UTC,
        EventCalendar.empty(),
        Duration.ofDays(rememberDays),
        1);
  }

  private static void feed(PathForecaster forecaster, double[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      forecaster.observe(values[i]);
    }
  }
}
