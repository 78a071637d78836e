package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.online.PeakForecaster.Restored;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeakForecasterStateTest {
  private static final PeakSettings SETTINGS = TestingSettings.refittedEvery(Duration.ofHours(12));
  private static final int VERSION_AT = 4;
  private static final int SECONDS_AT = 22;
  private static final int OBSERVATIONS_AT = 34;
  private static final int CALIBRATION_AT = 38;
  private static final int MODELS_AT = 42;

  @Test
  void aRestoredForecasterGoesOnWithTheSameModels() {
    var run = PeakRun.of(SETTINGS, START, ObservedMinutes.of(3 * DAY));
    var original = run.forecaster;
    var restored = restored(original.save(), SETTINGS);
    assertThat(restored.next()).isEqualTo(original.next());
    assertThat(restored.refitDue()).as("nothing is fitted anew").isFalse();
    assertThat(restored.forecast().orElseThrow().parts().weights())
        .as("of the same members")
        .hasSameSizeAs(original.forecast().orElseThrow().parts().weights());
    assertSameForecast(original, restored, 0.02);

    for (double value : new double[] {120, Double.NaN, 130, 125}) {
      original.observe(value);
      restored.observe(value);
      // Only the original still learns from forecasts that were open when it was saved.
      assertSameForecast(original, restored, 0.02);
    }
    int untilRefit = 0;
    while (!original.refitDue()) {
      original.observe(100);
      restored.observe(100);
      untilRefit++;
    }
    assertThat(restored.refitDue()).as("after %d steps, as the original", untilRefit).isTrue();
  }

  @Test
  void withoutModelsARefitIsDue() {
    var original = new PeakForecaster(START, SETTINGS);
    Arrays.stream(ObservedMinutes.of(2 * DAY)).forEach(original::observe);
    var restored = restored(original.save(), SETTINGS);
    assertThat(restored.forecast()).as("at once").isPresent();
    assertThat(restored.refitDue()).isTrue();
    original.adopt(original.refit().compute());
    restored.adopt(restored.refit().compute());
    assertSameForecast(original, restored, 0.05);
    assertThat(restored.refitDue()).as("not again at once").isFalse();
  }

  private static void assertSameForecast(
      PeakForecaster original, PeakForecaster restored, double tolerance) {
    var expected = original.forecast().orElseThrow();
    var actual = restored.forecast().orElseThrow();
    assertThat(actual.origin()).isEqualTo(expected.origin());
    for (double level : PeakForecaster.LEVELS) {
      double value = expected.quantile(level);
      assertThat(actual.quantile(level)).isCloseTo(value, within(tolerance * value));
    }
  }

  @Test
  void oldObservationsMayHaveBeenForgottenBefore() {
    var sixHours =
        new PeakSettings(
            SETTINGS.step(),
            SETTINGS.lead(),
            SETTINGS.window(),
            SETTINGS.zone(),
            SETTINGS.calendar(),
            SETTINGS.refitEvery(),
            Duration.ofHours(6),
            1,
            SETTINGS.members());
    var original = new PeakForecaster(START, sixHours);
    Arrays.stream(ObservedMinutes.of(1000)).forEach(original::observe);
    var restored = restored(original.save(), sixHours);
    original.adopt(original.refit().compute());
    restored.adopt(restored.refit().compute());
    assertSameForecast(original, restored, 0.05);
    assertThat(
            PeakForecaster.restore(
                PeakRun.of(SETTINGS, START, ObservedMinutes.of(500)).forecaster.save(), sixHours))
        .isEqualTo(
            new Restored.Refused("The saved state claims 500 observations, at most 360 are kept."));
  }

  @Test
  void aForecasterThatHasSeenNothingCanBeSaved() {
    var restored = restored(new PeakForecaster(START, SETTINGS).save(), SETTINGS);
    assertThat(restored.next()).isEqualTo(START);
    assertThat(restored.forecast()).isEmpty();
    restored.observe(7);
    assertThat(restored.forecast()).isPresent();
  }

  @Test
  void anEventThatWasDeclaredMeanwhileCounts() {
    double[] values = ObservedMinutes.of(600);
    Arrays.fill(values, 540, 600, 400);
    var original = PeakRun.of(SETTINGS, START, values).forecaster;
    Instant from = START.plus(Duration.ofHours(9));
    var sale = new Event("sale", from, from.plus(Duration.ofDays(1)), OptionalDouble.of(4));
    var declared = SETTINGS.withCalendar(new EventCalendar(List.of(sale), List.of()));
    var restored = restored(original.save(), declared);
    assertThat(restored.forecast().orElseThrow().parts().level()).isCloseTo(100, within(1.5));
    var again = restored(restored.save(), SETTINGS);
    assertThat(again.forecast().orElseThrow().parts().level()).isCloseTo(400, within(6.0));
  }

  /** Noise in every digit: what it leaves of a value is all that is saved. */
  @Test
  void twoWeeksOfMinutesWithModelsTake26KiB() {
    var forecaster = PeakRun.of(SETTINGS, START, ObservedMinutes.of(14 * DAY)).forecaster;
    assertThat(forecaster.save().length).isBetween(20_000, 26 * 1024);
  }

  @Test
  void refusesEveryTruncation() {
    byte[] saved = PeakRun.of(SETTINGS, START, ObservedMinutes.of(100)).forecaster.save();
    for (int length = 0; length < saved.length; length += length < 60 ? 1 : 97) {
      assertThat(refusal(Arrays.copyOf(saved, length)))
          .startsWith("The saved state ")
          .endsWith(".");
    }
    assertThat(refusal(new byte[0])).isEqualTo("The saved state is cut short: 0 bytes.");
    assertThat(refusal(Arrays.copyOf(saved, saved.length + 1))).contains("checksum");
  }

  @Test
  void refusesEveryFlippedBit() {
    byte[] saved = PeakRun.of(SETTINGS, START, ObservedMinutes.of(100)).forecaster.save();
    for (int bit = 0; bit < 8 * saved.length; bit += bit < 400 ? 1 : 61) {
      byte[] flipped = saved.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(refusal(flipped)).as("bit %d", bit).startsWith("The saved state ");
    }
  }

  @Test
  void refusesNoiseBehindAGoodHeader() {
    byte[] saved = PeakRun.of(SETTINGS, START, ObservedMinutes.of(100)).forecaster.save();
    var random = new Random(1);
    for (int round = 0; round < 300; round++) {
      byte[] noisy = saved.clone();
      for (int i = 46 + random.nextInt(saved.length - 64); i < saved.length - 4; i++) {
        noisy[i] = (byte) random.nextInt();
      }
      assertThat(refusal(signed(noisy))).as("round %d", round).startsWith("The saved state ");
    }
  }

  @Test
  void refusesWhatIsNotOfAPeakForecaster() {
    byte[] other = PeakRun.of(SETTINGS, START, ObservedMinutes.of(10)).forecaster.save();
    ByteBuffer.wrap(other).putInt(0, 0x50537074);
    assertThat(refusal(signed(other)))
        .isEqualTo("The saved state is not one of a peak forecaster.");
  }

  @ParameterizedTest
  @CsvSource({"0, is of version 0", "6, is of version 6", "-1, is of version -1"})
  void refusesOtherVersions(short version, String reason) {
    byte[] other = PeakRun.of(SETTINGS, START, ObservedMinutes.of(10)).forecaster.save();
    ByteBuffer.wrap(other).putShort(VERSION_AT, version);
    assertThat(refusal(signed(other))).isEqualTo("The saved state " + reason + ", not 7.");
  }

  @Test
  void refusesAnotherTask() {
    byte[] saved = PeakRun.of(SETTINGS, START, ObservedMinutes.of(10)).forecaster.save();
    assertThat(PeakForecaster.restore(saved, PeakSettings.forLead(Duration.ofMinutes(9))))
        .isEqualTo(
            new Restored.Refused(
                "The saved state is for 5-step windows 5 steps ahead, of steps of PT1M;"
                    + " the settings ask for 5, 9 and PT1M."));
  }

  @ParameterizedTest
  @CsvSource({
    "2147483647, claims 2147483647 observations",
    "-1, claims -1 observations",
    "40321, claims 40321 observations",
    "40320, fewer numbers than it claims",
    "11, fewer numbers than it claims",
    "9, more numbers than it claims",
  })
  void hostileCountsTakeNoMemory(int count, String reason) {
    byte[] saved = PeakRun.of(SETTINGS, START, ObservedMinutes.of(10)).forecaster.save();
    ByteBuffer.wrap(saved).putInt(OBSERVATIONS_AT, count);
    assertThat(refusal(signed(saved))).contains(reason);
  }

  @ParameterizedTest
  @CsvSource({"false, 2147483647", "false, -1", "false, 0", "true, 2147483647", "true, -1"})
  void refusesAnImpossibleNumberOfNumbers(boolean ofModels, int count) {
    byte[] saved = PeakRun.of(SETTINGS, START, ObservedMinutes.of(10)).forecaster.save();
    ByteBuffer.wrap(saved).putInt(ofModels ? MODELS_AT : CALIBRATION_AT, count);
    assertThat(refusal(signed(saved)))
        .contains("claims " + count + (ofModels ? " model" : " calibration") + " numbers");
  }

  @ParameterizedTest
  @CsvSource({"9223372036854775807", "-9223372036854775808", "31556889864403199"})
  void refusesAnImpossibleTime(long seconds) {
    byte[] saved = PeakRun.of(SETTINGS, START, ObservedMinutes.of(10)).forecaster.save();
    ByteBuffer.wrap(saved).putLong(SECONDS_AT, seconds);
    assertThat(refusal(signed(saved))).contains("time");
  }

  @Test
  void refusesNumbersThatCannotHaveBeenSaved() {
    var good = new PeakForecaster(START, SETTINGS);
    int numbers = calibration(good).length;
    float[] negative = calibration(good);
    negative[numbers - 1] = -1;
    assertThat(refusal(state(new float[] {1}, negative))).contains("weight");
    float[] unknown = calibration(good);
    unknown[6] = Float.NaN;
    assertThat(refusal(state(new float[] {1}, unknown))).contains("loss record");
    float[] unscheduled = calibration(good);
    unscheduled[0] = 3e9f; // losses are in the unit of the demand, such as bytes
    assertThat(PeakForecaster.restore(state(new float[] {1}, unscheduled), SETTINGS))
        .isInstanceOf(Restored.Ok.class);
    unscheduled[3] = -1;
    assertThat(refusal(state(new float[] {1}, unscheduled))).contains("record of refits");
    assertThat(refusal(state(new float[] {1e31f}, calibration(good)))).contains("observation");
    assertThat(PeakForecaster.restore(state(new float[] {1}, calibration(good)), SETTINGS))
        .isInstanceOf(Restored.Ok.class);
  }

  @Test
  void refusesWhatIsNoNumber() {
    var good = new PeakForecaster(START, SETTINGS);
    int numbers = calibration(good).length;
    for (int at = 0; at < numbers; at += at < 60 ? 1 : 97) {
      float[] damaged = calibration(good);
      damaged[at] = Float.NaN;
      assertThat(refusal(state(new float[0], damaged))).as("number %d", at).contains("NaN");
    }
  }

  private static byte[] state(float[] observations, float[] calibration) {
    return new ForecasterState(
            Duration.ofMinutes(1), 5, 5, START, observations, calibration, new int[0])
        .toBytes();
  }

  private static float[] calibration(PeakForecaster forecaster) {
    try {
      return ForecasterState.read(forecaster.save(), 0, 6 + 17 + 11 * 512 + 2).calibration;
    } catch (ForecasterState.UnreadableException e) {
      throw new AssertionError(e);
    }
  }

  private static String refusal(byte[] saved) {
    return switch (PeakForecaster.restore(saved, SETTINGS)) {
      case Restored.Refused(var reason) -> reason;
      case Restored.Ok _ -> throw new AssertionError("was accepted");
    };
  }

  private static PeakForecaster restored(byte[] saved, PeakSettings settings) {
    return switch (PeakForecaster.restore(saved, settings)) {
      case Restored.Ok(var forecaster) -> forecaster;
      case Restored.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  /** With the checksum that belongs to it. */
  private static byte[] signed(byte[] bytes) {
    var crc = new CRC32();
    crc.update(bytes, 0, bytes.length - 4);
    ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) crc.getValue());
    return bytes;
  }
}
