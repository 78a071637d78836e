package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.prescale.controller.input.DemoTrace;
import io.prescale.controller.input.GeneratedLoad;
import io.prescale.controller.input.LoadProfile;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * A week of generated load: the breaker stays closed on good forecasts and opens on broken ones
 * after as many minutes as it did on 2026-11-30. {@link BreakerOnTraces} measures the same on
 * production traces.
 */
class BreakerOnTracesTest {
  private static final Instant MONDAY = Instant.parse("2026-01-05T00:00:00Z");

  /** As steady as a busy service without days: some noise, three bursts a day. */
  private static final LoadProfile FLAT =
      new LoadProfile(300, 20, 20, 0, 0, 2, 8.5, 18.5, 0, 0.05, 3);

  @Test
  void onWorkdaysOfPeople() {
    var run = BreakerRun.on(week(DemoTrace.PROFILE, 1));

    assertThat(run.shareOpen()).isZero();
    assertOpens(run, 3, 100, 137, 202);
    assertOpens(run, 2, 167, 526, 841);
    assertOpens(run, 0.8, 132, 147, 183);
    assertOpens(run, 0.5, 37, 44, 49);
  }

  @Test
  void onFlatLoadWithBursts() {
    var run = BreakerRun.on(week(FLAT, 2));

    assertThat(run.shareOpen()).isZero();
    assertOpens(run, 3, 76, 76, 86);
    assertOpens(run, 2, 144, 488, 807);
    assertOpens(run, 0.8, 107, 205, 259);
    assertOpens(run, 0.5, 31, 33, 44);
  }

  /** Minutes; mathematical functions differ in the last digit between processors. */
  private static void assertOpens(BreakerRun run, double factor, int... after) {
    int[] opened = run.openedAfter(factor);
    assertThat(opened).as("times %s", factor).hasSameSizeAs(after);
    for (int i = 0; i < after.length; i++) {
      assertThat(opened[i]).as("times %s", factor).isCloseTo(after[i], withPercentage(5));
    }
  }

  private static TimeSeries week(LoadProfile profile, long seed) {
    var load = new GeneratedLoad(profile, seed);
    var values = new double[7 * BreakerRun.DAY];
    Arrays.setAll(values, _ -> load.next());
    return TimeSeries.of(MONDAY, Duration.ofMinutes(1), values);
  }
}
