package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.DAY;
import static io.prescale.controller.autoscaling.ScalingCycles.LEAD;
import static io.prescale.controller.autoscaling.ScalingCycles.REQUESTS;
import static io.prescale.controller.autoscaling.ScalingCycles.START;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.cycle;
import static io.prescale.controller.autoscaling.ScalingCycles.none;
import static io.prescale.controller.autoscaling.ScalingCycles.reading;
import static io.prescale.controller.autoscaling.ScalingCycles.series;
import static io.prescale.controller.autoscaling.ScalingCycles.settings;
import static io.prescale.controller.autoscaling.ScalingCycles.state;
import static io.prescale.controller.autoscaling.ScalingCycles.tick;
import static io.prescale.controller.autoscaling.ScalingCycles.wave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.ServedValue.Planned;
import io.prescale.controller.autoscaling.Trust.State;
import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalingCycleTest {
  @ParameterizedTest
  @CsvSource({"1, 60, 0.005", "2, 5, 0.005", "3, 300, 0.1", "4, 1, 0.01"})
  void neverServesLessThanTheNewestObservation(long seed, int stepSeconds, double budget) {
    var step = Duration.ofSeconds(stepSeconds);
    var settings = settings(step, step.multipliedBy(20)).withRisk(new Risk.Budget(budget));
    var cycle = cycle(settings);
    var random = new SplittableRandom(seed);
    double[] demand = wave(700, 200, seed);
    int served = 0;
    for (int i = 0; i < demand.length; i++) {
      if (random.nextInt(40) == 0) {
        demand[i] *= 1 + 4 * random.nextDouble();
      }
      if (random.nextInt(12) == 0) {
        demand[i] = Double.NaN;
      }
      Instant now = START.plus(step.multipliedBy(i + 1));
      var state = state(random.nextInt(30), LEAD);
      var metric = Ticks.tick(cycle, now, reading(now, demand[i]), state).metrics().getFirst();
      if (Double.isNaN(demand[i])) {
        continue;
      }
      ServedValue value = metric.served().orElseThrow();
      served++;
      assertThat(value.computedAt()).isEqualTo(now);
      assertThat(value.floor()).isEqualTo(demand[i]);
      assertThat(value.value()).isGreaterThanOrEqualTo(demand[i]);
      assertThat(value.plan()).hasSizeLessThanOrEqualTo(ServingPlan.MOST_VALUES);
      assertThat(value.plan().stream().map(Planned::value)).isSorted();
      for (Planned planned : value.plan()) {
        assertThat(planned.value()).isGreaterThan(value.value());
        assertThat(planned.at()).isBetween(now.plus(step), now.plus(value.timeToLive()));
      }
    }
    assertThat(served).isGreaterThan(500);
  }

  @ParameterizedTest
  @CsvSource({"30, 3", "70, 7", "31, 4"})
  void constantDemandGetsTheReplicasThatCarryIt(double demand, int replicas) {
    double[] constant = new double[2 * DAY];
    Arrays.fill(constant, demand);
    for (var risk : List.of(new Risk.Budget(0.005), new Risk.ShortageCost(20))) {
      var cycle = cycle(settings(Duration.ofMinutes(1)).withRisk(risk));
      cycle.learn("requests", series(START.minus(Duration.ofMinutes(constant.length)), constant));
      for (int minute = 1; minute <= 30; minute++) {
        assertThat(tick(cycle, minute, demand).desiredReplicas()).as("%s", risk).hasValue(replicas);
      }
    }
  }

  @Test
  void constantDemandThatIsKnownForDaysGetsNoReplicaTooMany() {
    for (double replicas : new double[] {3, 30, 300}) {
      double demand = replicas * REQUESTS.capacityPerReplica();
      for (var risk : List.of(new Risk.Budget(0.005), new Risk.ShortageCost(20))) {
        var cycle = cycle(settings(Duration.ofMinutes(1)).withRisk(risk));
        double[] constant = new double[3 * DAY];
        Arrays.fill(constant, demand);
        cycle.learn("requests", series(START.minus(Duration.ofDays(3)), constant));
        for (int minute = 1; minute <= 30; minute++) {
          assertThat(tick(cycle, minute, demand).desiredReplicas())
              .as("minute %d, %s", minute, risk)
              .hasValue((int) replicas);
        }
      }
    }
  }

  @Test
  void needsNoReplicaForARoundingError() {
    double threeTenths = 0.1 + 0.2; // 0.30000000000000004
    var settings =
        settings(Duration.ofMinutes(1), List.of(new MetricSettings("requests", 0.1)))
            .withHpa(HpaRules.defaults().withReplicas(1, 2));
    assertThat(tick(cycle(settings), 1, threeTenths).needed()).hasValue(new Needed(3, 2));
  }

  @Test
  void thePlanRisesAsTheDayBeforeAndWithDeclaredEvents() {
    double[] demand = wave(3 * DAY, DAY, 6);
    var launch = new Event("launch", at(15), at(60), OptionalDouble.of(3));
    var quiet = settings(Duration.ofMinutes(1), Duration.ofMinutes(30));
    var event =
        settings(
            List.of(REQUESTS),
            new ForecastSettings(
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofDays(28),
                Duration.ofHours(4),
                ZoneOffset.UTC,
                new EventCalendar(List.of(launch), List.of()),
                1,
                PeakSettings.EVERY_MEMBER),
            Duration.ofMinutes(30));

    var usual = served(quiet, demand);
    var withEvent = served(event, demand);

    assertThat(usual.plan()).as("mornings rise").isNotEmpty();
    assertThat(usual.plan().getLast().value()).isBetween(usual.value(), 1.5 * usual.value());
    assertThat(withEvent.plan().getLast().value()).isGreaterThan(2 * withEvent.value());
    assertThat(withEvent.plan().getFirst().value() % 10).as("whole replicas").isZero();
  }

  private static ServedValue served(TargetSettings settings, double[] history) {
    var cycle = cycle(settings);
    cycle.learn("requests", series(START.minus(Duration.ofMinutes(history.length)), history));
    return tick(cycle, 1, history[history.length - 1]).metrics().getFirst().served().orElseThrow();
  }

  @Test
  void unknownIsNeverIdle() {
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    var first = tick(cycle, 1, 95);
    var missing = new Reading.Missing(Reading.Reason.UNREACHABLE, "No answer.");
    for (int minute = 2; minute < 40; minute++) {
      var result = Ticks.tick(cycle, at(minute), missing, state(10, LEAD));
      var metric = result.metrics().getFirst();
      assertThat(metric.served()).isEqualTo(first.metrics().getFirst().served());
      assertThat(metric.missing()).hasValue(missing);
      assertThat(result.desiredReplicas()).hasValue(10);
    }
    var again = tick(cycle, 40, 0);
    assertThat(again.metrics().getFirst().served().orElseThrow().value())
        .as("a zero that was measured is one")
        .isZero();
    assertThat(again.metrics().getFirst().missing()).isEmpty();
  }

  @Test
  void nothingIsServedBeforeTheFirstObservation() {
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    var missing = new Reading.Missing(Reading.Reason.NO_DATA, "Nothing.");
    var result = Ticks.tick(cycle, at(1), missing, state(3, LEAD));

    assertThat(result.metrics().getFirst().served()).isEmpty();
    assertThat(result.metrics().getFirst().observed()).isEmpty();
    assertThat(result.desiredReplicas()).isEmpty();
    assertThat(result.explanation()).isEmpty();
  }

  @Test
  void samplesThatAreTooOldAreStale() {
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    tick(cycle, 1, 95);
    var soon = Ticks.tick(cycle, at(4), none(), state(10, LEAD)).metrics().getFirst();
    var late = Ticks.tick(cycle, at(5), none(), state(10, LEAD)).metrics().getFirst();

    assertThat(soon.missing()).isEmpty();
    assertThat(late.missing().orElseThrow().reason()).isEqualTo(Reading.Reason.STALE);
    assertThat(late.missing().orElseThrow().message())
        .isEqualTo("The newest usable sample of requests is older than 4 min.");
  }

  @Test
  void aNegativeValueIsNoDemandAndSaysSo() {
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    tick(cycle, 1, 95);
    var missing = tick(cycle, 2, -3).metrics().getFirst().missing().orElseThrow();

    assertThat(missing.reason()).isEqualTo(Reading.Reason.NOT_A_NUMBER);
    assertThat(missing.message())
        .isEqualTo("The newest sample of requests is -3, which is no demand; correct the query.");
  }

  @Test
  void untrustedForecastsAreShownAndNotServed() {
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    CycleResult result = tick(cycle, 1, 95);
    for (int minute = 2; minute < 30; minute++) {
      result = tick(cycle, minute, 95 + minute);
    }
    var metric = result.metrics().getFirst();

    assertThat(metric.trust().state()).isEqualTo(State.LEARNING);
    assertThat(metric.forecast()).isPresent();
    assertThat(metric.decision().orElseThrow().reason()).isEqualTo(Reason.NOT_TRUSTED);
    assertThat(metric.served().orElseThrow().value()).isEqualTo(124);
    assertThat(metric.served().orElseThrow().plan()).isEmpty();
    assertThat(result.explanation().orElseThrow().sentences())
        .contains(
            "The served value is 124 (the newest observation, as forecasts are not trusted): 13"
                + " replicas of 10 each.");
  }

  @Test
  void theMetricThatAsksForMostDecides() {
    var settings =
        settings(Duration.ofMinutes(1), List.of(REQUESTS, new MetricSettings("tokens", 1000)))
            .withHpa(HpaRules.defaults().withReplicas(2, 30));
    var cycle = cycle(settings);
    var result = tick(cycle, 1, reading(at(1), 95), reading(at(1), 20_500));
    assertThat(result.desiredReplicas()).hasValue(21);
    assertThat(result.explanation().orElseThrow().metric()).isEqualTo("tokens");

    var oneMissing =
        tick(cycle, 2, reading(at(2), 5), new Reading.Missing(Reading.Reason.NO_DATA, "Nothing."));
    assertThat(oneMissing.desiredReplicas()).as("the last known good one").hasValue(21);

    var beyond = tick(cycle, 3, reading(at(3), 5), reading(at(3), 1e6));
    assertThat(beyond.desiredReplicas()).as("maxReplicas").hasValue(30);
    var idle = tick(cycle, 4, reading(at(4), 0), reading(at(4), 0));
    assertThat(idle.desiredReplicas()).as("minReplicas").hasValue(2);
    assertThat(idle.explanation().orElseThrow().metric()).as("the first").isEqualTo("requests");
  }

  @Test
  void refusesWhatDoesNotFit() {
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    assertThatThrownBy(() -> cycle.observe(at(1), Map.of(), state(1, LEAD)))
        .hasMessage("readings of [] for the metrics [requests]");
    assertThatThrownBy(() -> cycle.observedUntil("tokens"))
        .hasMessage("no metric tokens among [requests]");
    assertThatThrownBy(
            () -> cycle.learn("requests", TimeSeries.of(START, Duration.ofSeconds(30), 1, 2, 3)))
        .hasMessageStartingWith("the history of requests must have steps of PT1M");
    assertThatThrownBy(
            () ->
                cycle.learn(
                    "requests", TimeSeries.of(START.plusSeconds(7), Duration.ofMinutes(1), 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TargetSettings.of(new MetricSettings("m", 0)))
        .hasMessage("capacity of metric m must be above 0: 0.0");
    assertThatThrownBy(() -> settings(Duration.ofMinutes(1), List.of(REQUESTS, REQUESTS)))
        .hasMessage("two metrics are named requests");
    assertThatThrownBy(() -> settings(Duration.ofMinutes(1), List.of()))
        .hasMessage("a target has 1 to 8 metrics: 0");
    assertThatThrownBy(() -> settings(Duration.ofMinutes(1), Duration.ofSeconds(90)))
        .hasMessage("time to live must be from two steps to 1 day: 1 min 30 s");
    assertThatThrownBy(() -> settings(Duration.ofMillis(1500)))
        .hasMessage("step must be whole seconds: 1.5 s");
  }
}
