package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** A forecast of 100 at every step, whose spread is noise: from a fifth to five. */
class PeakCalibrationTest {
  private static final int DAY = 1440;
  private static final double[] LEVELS = {0.5, 0.9, 0.95, 0.99};
  private static final int P95 = 2;
  private static final double WIDE = 4;

  /** The 95 % quantile of a standard normal distribution. */
  private static final double Z95 = 1.645;

  private final SplittableRandom random = new SplittableRandom(7);
  private final DemandHistory history =
      new DemandHistory(
          Instant.parse("2026-01-05T00:00:00Z"),
          Duration.ofMinutes(1),
          ZoneOffset.UTC,
          EventCalendar.empty(),
          14 * DAY);
  private int covered;

  @Test
  void followsASpreadThatTellsTheSizeOfErrors() {
    var calibration = learned(spread -> spread, 4);

    assertThat(p95(calibration, WIDE)).isCloseTo(100 + WIDE * Z95, within(0.8));
    assertThat(p95(calibration, WIDE / 16)).isCloseTo(100 + WIDE / 16 * Z95, within(0.05));
    assertThat(covered / (4.0 * DAY)).isCloseTo(0.95, within(0.01));
  }

  @Test
  void shrinksASpreadThatTellsNothing() {
    var calibration = learned(_ -> 1, 4);

    assertThat(covered / (4.0 * DAY)).isCloseTo(0.95, within(0.01));
    assertThat(p95(calibration, WIDE)).isCloseTo(103.9, within(0.3));
  }

  /** After that day, a third of the distance is left. */
  @Test
  void followsTheSpreadUntilADayHasBeenJudged() {
    assertThat(p95(learned(_ -> 1, 0.9), WIDE)).isCloseTo(111.7, within(1.0));
    assertThat(p95(learned(_ -> 1, 1.1), WIDE)).isCloseTo(103.9, within(0.5));
  }

  @Test
  void goesOnFromWhatWasSaved() {
    var calibration = learned(_ -> 1, 4);
    var restored = new PeakCalibration(history, LEVELS, DAY);

    Learned.restore(restored.learned(), Learned.states(calibration.learned()));

    assertThat(p95(restored, WIDE)).isCloseTo(p95(calibration, WIDE), within(0.05));
  }

  @Test
  void refusesLossesThatAreNone() {
    var record = learned(_ -> 1, 1).learned().get(3);

    for (double wrong : List.of(-1.0, Double.NaN, Double.POSITIVE_INFINITY)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> record.restore(new double[] {1, wrong, 1, 5, 5}))
          .withMessageContaining("record of losses");
    }
  }

  /** After days of errors that are normal, with a standard deviation by the spread. */
  private PeakCalibration learned(DoubleUnaryOperator deviation, double days) {
    var calibration = new PeakCalibration(history, LEVELS, DAY);
    covered = 0;
    for (int t = 0; t < days * DAY; t++) {
      double spread = Math.pow(5, random.nextDouble(-1, 1));
      double truth = 100 + deviation.applyAsDouble(spread) * random.nextGaussian();
      var forecast = calibration.calibrate(t, 100, spread, 100);
      covered += truth <= forecast.values()[P95] ? 1 : 0;
      calibration.learn(forecast, truth);
    }
    return calibration;
  }

  private static double p95(PeakCalibration calibration, double spread) {
    return calibration.calibrate(0, 100, spread, 100).values()[P95];
  }
}
