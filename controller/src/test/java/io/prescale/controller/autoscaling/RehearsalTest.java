package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RehearsalTest {
  private static final PeakSettings AHEAD = PeakSettings.forLead(Duration.ofMinutes(2));
  private static final double LEVEL = new Risk.Budget(0.005).operatingLevel();

  /**
   * After two mornings, the models have seen too few to foresee the third; the day before foresees
   * it, and a quiet night does not make that worth less. Where the third day is the lowest, the day
   * before may still be the better guide.
   */
  @Test
  void servicesWithSharpMorningsAreTrustedAfterThreeDays() {
    long trusted =
        LongStream.rangeClosed(1, 24)
            .filter(
                seed -> {
                  var history = ScalingCycles.series(ScalingCycles.START, sharpMornings(seed));
                  return Rehearsal.of(history, AHEAD, LEVEL, List.of())
                      .track()
                      .breaker()
                      .isClosed();
                })
            .count();
    assertThat(trusted)
        .as("of 24; they were 17 where a newcomer counted by a quiet night")
        .isGreaterThan(20);
  }

  /** From 15 to 57 within a minute, for two hours of each of three days. */
  private static double[] sharpMornings(long seed) {
    var random = new SplittableRandom(seed);
    double[] demand = new double[3 * ScalingCycles.DAY];
    double level = 1;
    for (int i = 0; i < demand.length; i++) {
      int minute = i % ScalingCycles.DAY;
      level = minute == 0 ? 1 + 0.1 * random.nextDouble(-1, 1) : level;
      double noise = 1 + 0.1 * random.nextDouble(-1, 1);
      demand[i] = level * noise * (minute / 60 == 3 || minute / 60 == 4 ? 57 : 15);
    }
    return demand;
  }
}
