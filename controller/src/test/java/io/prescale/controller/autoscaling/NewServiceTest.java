package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A service without a history, a day after its first observation. */
class NewServiceTest {
  private static final Duration LEAD = Duration.ofSeconds(375);
  private static final int NIGHT = ScalingCycles.DAY + 2 * 60;
  private static final int NOON = ScalingCycles.DAY + 12 * 60;

  @Test
  void itsSecondMorningIsForecastAndItsSecondNightIsNotOverprovisioned() {
    var cycle = ScalingCycles.cycle(ScalingCycles.settings(Duration.ofMinutes(1)), LEAD);
    var random = new SplittableRandom(1);
    double noise = 0;
    int untrusted = 0;
    double most = 0;
    for (int minute = 1; minute < NOON; minute++) {
      noise = 0.9 * noise + 0.436 * random.nextGaussian();
      double demand = 240 * day(minute - 1) * (1 + 0.028 * (noise + random.nextGaussian()));
      var now = ScalingCycles.at(minute);
      var state = ScalingCycles.scaled((int) Math.ceil(demand / 8), LEAD);
      var result = Ticks.tick(cycle, now, ScalingCycles.reading(now, demand), state);
      var metric = result.metrics().getFirst();
      if (minute >= ScalingCycles.DAY) {
        untrusted += metric.trust().state() == Trust.State.CLOSED ? 0 : 1;
        double served = metric.served().orElseThrow().value() / demand;
        most = minute < NIGHT ? Math.max(most, served) : most;
      }
    }
    assertThat(most).as("served at night, relative to the demand").isLessThan(2);
    assertThat(untrusted).as("minutes until noon in which forecasts are not followed").isZero();
  }

  /** A fifth at night, all from ten to seventeen. */
  private static double day(int minute) {
    double hour = minute % ScalingCycles.DAY / 60.0;
    return 0.2 + 0.8 / (1 + Math.exp(-(hour - 8) * 1.7)) / (1 + Math.exp((hour - 19) * 1.2));
  }
}
