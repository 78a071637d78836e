package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The same day again and again, with a jump in the evening, and an outage in one afternoon. */
class UntrustedForecastsTest {
  private static final int DAYS = 12;
  private static final int OUTAGE = (DAYS - 2) * Demands.DAY + 14 * 60;
  private static final int END_OF_OUTAGE = OUTAGE + 5 * 60;
  private static final Duration COLD_START = Duration.ofMinutes(5);

  private static double demand(int minute) {
    double hour = minute % Demands.DAY / 60.0;
    double day =
        40 + 100 * after(8, hour, 6) + 100 * after(19.5, hour, 40) - 200 * after(22.5, hour, 3);
    double noise = 1 + 0.01 * new SplittableRandom(minute).nextGaussian();
    return day * noise * (minute >= OUTAGE && minute < END_OF_OUTAGE ? 0.02 : 1);
  }

  private static double after(double change, double hour, double steepness) {
    return 1 / (1 + Math.exp(-steepness * (hour - change)));
  }

  @Test
  void theEveningAfterAnOutageIsNoWorseThanUnderAReactiveHpa() throws Exception {
    var load =
        TimeSeries.of(
            Instant.parse("2026-03-02T00:00:00Z"),
            ReplaySettings.MINUTE,
            Demands.of(DAYS * Demands.DAY, UntrustedForecastsTest::demand));
    var settings =
        ReplaySettings.forCapacity(10)
            .withColdStart(new ColdStart.Constant(COLD_START))
            .withSkip(ReplaySettings.MINUTE.multipliedBy(END_OF_OUTAGE));
    var prescale =
        new Predictive(settings, PeakSettings.forLead(COLD_START), new Risk.Budget(0.005));

    var runs =
        ((Replay) Replay.of(load, settings))
            .run(List.of(prescale, new Reactive(Reactive.USUAL_TARGET)), (_, _) -> {})
            .runs();

    var ours = runs.getFirst();
    assertThat(ours.outcome().untrustedShare()).isBetween(0.05, 0.2);
    assertThat(ours.outcome().overloadedShare())
        .isLessThanOrEqualTo(runs.get(1).outcome().overloadedShare());
    assertThat(ours.rationales())
        .anySatisfy(
            it -> assertThat(it.orElseThrow().decision().reason()).isEqualTo(Reason.DAY_BEFORE));
  }
}
