package io.prescale.controller.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.autoscaling.Ticks;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Where no production traces are at hand, which the forecaster's own test of this reads. */
class SavedTargetSizeTest {
  private static final Instant MONDAY = Instant.parse("2026-03-02T00:00:00Z");
  private static final LeadTime LEAD = LeadTime.declared(Duration.ofMinutes(5));
  private static final String METRIC = "requests";
  private static final TargetSettings SETTINGS = TargetSettings.of(new MetricSettings(METRIC, 10));
  private static final int DAY = 1440;
  private static final int LIVE_FROM = 13 * DAY;
  private static final int END = 14 * DAY;

  @Test
  void twoWeeksOfWorkingDaysWithModelsTake24KiB() {
    double[] demand = demand(1);
    var cycle = new ScalingCycle(SETTINGS, LEAD, at(LIVE_FROM), Runnable::run);
    cycle.learn(
        METRIC, TimeSeries.of(MONDAY, Duration.ofMinutes(1), Arrays.copyOf(demand, LIVE_FROM)));
    int refits = 0;
    for (int minute = LIVE_FROM; minute < END; minute++) {
      var before = cycle.learnedAt(METRIC);
      tick(cycle, at(minute + 1), demand[minute]);
      refits += cycle.learnedAt(METRIC).equals(before) ? 0 : 1;
    }

    var state = cycle.save(METRIC).orElseThrow();
    var saved = new SavedTarget("team", at(END), Map.of(METRIC, new SavedTarget.Metric(42, state)));

    assertThat(refits).as("every four hours").isEqualTo(6);
    assertThat(saved.toBytes().length).isBetween(20_000, 24 * 1024);
  }

  /** Noon and evening, half as much at weekends, with the noise that counting has. */
  private static double[] demand(long seed) {
    var random = new Random(seed);
    double[] demand = new double[END];
    for (int minute = 0; minute < END; minute++) {
      double hour = minute % DAY / 60.0;
      double noon = Math.exp(-Math.pow((hour - 13) / 4, 2));
      double evening = Math.exp(-Math.pow((hour - 20) / 1.5, 2));
      double share = minute % (7 * DAY) >= 5 * DAY ? 0.5 : 1;
      double mean = share * (20 + 100 * noon + 60 * evening);
      demand[minute] = Math.max(0, mean + Math.sqrt(mean) * random.nextGaussian());
    }
    return demand;
  }

  private static void tick(ScalingCycle cycle, Instant now, double demand) {
    var state = new ReplicaState(10, 10, LEAD, Optional.empty());
    Ticks.tick(cycle, now, new Reading.Observed(List.of(new Sample(now, demand))), state);
  }

  private static Instant at(int minute) {
    return MONDAY.plus(Duration.ofMinutes(minute));
  }
}
