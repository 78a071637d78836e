package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.ServedValueChoice;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.autoscaling.Ticks;
import io.prescale.controller.autoscaling.Trust;
import io.prescale.controller.input.DemoTrace;
import io.prescale.controller.schedules.Schedules;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The loop in production decides as the replay does, from the same observations. */
class ScalingCycleAgainstPredictiveTest {
  private static final int MINUTES = 2 * Demands.DAY;
  private static final Duration LEAD = Duration.ofMinutes(5);
  private static final double CAPACITY = DemoTrace.CAPACITY_PER_REPLICA;

  @ParameterizedTest
  @CsvSource({"42, true, 0", "7, false, 0", "42, true, 20", "7, false, 30"})
  void servesTheSameWhetherForecastsAreTrustedOrNot(
      long seed, boolean budget, double replicaMinutes) throws Exception {
    var startCost = new StartCost(replicaMinutes);
    var risk = budget ? new Risk.Budget(0.005, 2, startCost) : new Risk.ShortageCost(30, startCost);
    double[] demand = demand(seed);
    var predictive =
        new Predictive(ReplaySettings.forCapacity(CAPACITY), PeakSettings.forLead(LEAD), risk);
    var cycle = cycle(risk);
    var random = new SplittableRandom(seed);
    int same = 0;
    for (int minute = 0; minute < MINUTES; minute++) {
      int current = 1 + random.nextInt(40);
      int ready = 1 + random.nextInt(current);
      Served expected = predictive.next(new View(Instant.EPOCH, minute, demand, current, ready));
      CycleResult result =
          Ticks.tick(cycle, time(minute), reading(demand, minute), state(current, ready));
      if (minute == 0 || Double.isNaN(demand[minute - 1])) {
        continue;
      }
      var metric = result.metrics().getFirst();
      double served = metric.served().orElseThrow().value();
      assertThat(metric.served().orElseThrow().computedAt()).isEqualTo(time(minute));
      assertThat(served).as("minute %d", minute).isEqualTo(expected.value().orElseThrow());
      assertThat(metric.decision().orElseThrow().reason())
          .isEqualTo(expected.rationale().orElseThrow().decision().reason());
      if (metric.trust().state() == Trust.State.CLOSED) {
        assertThat(metric.forecast().orElseThrow().p95())
            .isEqualTo(expected.quantiles().orElseThrow().p95());
        same++;
      } else {
        assertThat(served).as("minute %d", minute).isGreaterThanOrEqualTo(demand[minute - 1] / 0.8);
        assertThat(metric.decision().orElseThrow().reason())
            .isIn(Reason.NOT_TRUSTED, Reason.NO_FORECAST, Reason.DAY_BEFORE);
      }
    }
    assertThat(same).as("trusted most of the time " + same).isGreaterThan(MINUTES / 2);
  }

  private static ScalingCycle cycle(Risk risk) {
    var settings =
        new TargetSettings(
            List.of(new MetricSettings("requests", CAPACITY)),
            HpaRules.defaults(),
            risk,
            ForecastSettings.defaults(),
            Duration.ofMinutes(15),
            ServedValueChoice.USUAL_UTILIZATION,
            OptionalDouble.empty(),
            Schedules.none());
    return new ScalingCycle(settings, LeadTime.declared(LEAD), Instant.EPOCH, Runnable::run);
  }

  /** The demo's load with an outage in it. */
  private static double[] demand(long seed) {
    TimeSeries series =
        TimeSeries.fromSamples(new DemoTrace(seed).read().samples(), Duration.ofMinutes(1))
            .series();
    double[] demand = series.slice(Demands.DAY, Demands.DAY + MINUTES).toArray();
    Arrays.fill(demand, 700, 740, Double.NaN);
    demand[1000] = Double.NaN;
    return demand;
  }

  private static Reading reading(double[] demand, int minute) {
    return minute == 0 || Double.isNaN(demand[minute - 1])
        ? new Reading.Missing(Reading.Reason.NO_DATA, "nothing")
        : new Reading.Observed(List.of(new Sample(time(minute), demand[minute - 1])));
  }

  private static ReplicaState state(int current, int ready) {
    var seen = List.of(new HpaState.SeenMetric("requests", 1));
    var hpa = new HpaState(current, current, seen, List.of());
    return new ReplicaState(current, ready, LeadTime.declared(LEAD), Optional.of(hpa));
  }

  private static Instant time(int minute) {
    return Instant.EPOCH.plus(Duration.ofMinutes(minute));
  }
}
