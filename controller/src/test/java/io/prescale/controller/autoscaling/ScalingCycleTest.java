package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.ServedValue.Planned;
import io.prescale.controller.autoscaling.Trust.State;
import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalingCycleTest {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final MetricSettings REQUESTS = new MetricSettings("requests", 10);
  private static final Duration LEAD = Duration.ofMinutes(5);
  private static final int DAY = 1440;

  @ParameterizedTest
  @CsvSource({"1, 60, 0.005", "2, 5, 0.005", "3, 300, 0.1", "4, 1, 0.01"})
  void neverServesLessThanTheNewestObservation(long seed, int stepSeconds, double budget) {
    var step = Duration.ofSeconds(stepSeconds);
    var settings =
        settings(step).withRisk(new Risk.Budget(budget)).withTimeToLive(step.multipliedBy(20));
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

  @Test
  void aHistoryIsTrustedAtOnceAndForecastsFromItsEnd() {
    double[] demand = wave(4 * DAY, DAY, 5);
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    cycle.learn("requests", series(START.minus(Duration.ofMinutes(demand.length)), demand));

    assertThat(cycle.observedUntil("requests")).isEqualTo(START);
    var result = tick(cycle, 1, 100);

    var metric = result.metrics().getFirst();
    assertThat(metric.trust().state()).isEqualTo(State.CLOSED);
    assertThat(metric.trust().samples()).isGreaterThan(1000);
    assertThat(metric.modelFittedAt()).hasValue(START);
    assertThat(metric.decision().orElseThrow().reason()).isEqualTo(Reason.FORECAST);
    assertThat(metric.forecast().orElseThrow().origin()).isEqualTo(at(1));
    assertThat(metric.forecast().orElseThrow().p50()).isCloseTo(105, within(10.0));
    assertThat(result.desiredReplicas())
        .hasValue(metric.decision().orElseThrow().desiredReplicas());
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
        settings(Duration.ofMinutes(1))
            .withMetrics(List.of(new MetricSettings("requests", 0.1)))
            .withHpa(HpaRules.defaults().withReplicas(1, 2));
    assertThat(tick(cycle(settings), 1, threeTenths).needed()).hasValue(new Needed(3, 2));
  }

  @Test
  void thePlanRisesAsTheDayBeforeAndWithDeclaredEvents() {
    double[] demand = wave(3 * DAY, DAY, 6);
    var launch = new Event("launch", at(15), at(60), OptionalDouble.of(3));
    var quiet = settings(Duration.ofMinutes(1)).withTimeToLive(Duration.ofMinutes(30));
    var event =
        quiet.withForecast(
            new ForecastSettings(
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofDays(28),
                Duration.ofHours(4),
                ZoneOffset.UTC,
                new EventCalendar(List.of(launch), List.of()),
                1,
                PeakSettings.EVERY_MEMBER));

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
  void anotherLeadTimeKeepsTheHistory() {
    double[] demand = wave(3 * DAY, DAY, 7);
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    cycle.learn("requests", series(START.minus(Duration.ofMinutes(demand.length)), demand));
    var before = tick(cycle, 1, 100);
    var after = Ticks.tick(cycle, at(2), reading(at(2), 101), state(10, Duration.ofMinutes(20)));

    assertThat(before.metrics().getFirst().forecast().orElseThrow().lead()).isEqualTo(LEAD);
    var forecast = after.metrics().getFirst().forecast().orElseThrow();
    assertThat(forecast.lead()).isEqualTo(Duration.ofMinutes(20));
    assertThat(forecast.p50()).as("morning, 25 minutes later").isCloseTo(106, within(6.0));
    assertThat(after.metrics().getFirst().trust().state()).isEqualTo(State.CLOSED);
    assertThat(after.metrics().getFirst().trust().samples()).isGreaterThan(1000);
  }

  @Test
  void aSlightlyOtherLeadTimeIsNotWorthIt() {
    var cycle = cycle(settings(Duration.ofSeconds(1)), Duration.ofSeconds(100));
    for (int seconds : new int[] {103, 98, 82}) {
      Ticks.tick(cycle, START, none(), state(3, Duration.ofSeconds(seconds)));
    }
    assertThat(lead(cycle, 99)).isEqualTo(Duration.ofSeconds(100));
    assertThat(lead(cycle, 106)).isEqualTo(Duration.ofSeconds(106));
    assertThat(lead(cycle, 85)).isEqualTo(Duration.ofSeconds(106));
    assertThat(lead(cycle, 80)).isEqualTo(Duration.ofSeconds(80));
  }

  /** What is looked ahead when the lead time is this. */
  private static Duration lead(ScalingCycle cycle, int seconds) {
    Instant now = cycle.observedUntil("requests").plusSeconds(1);
    var result = Ticks.tick(cycle, now, reading(now, 50), state(3, Duration.ofSeconds(seconds)));
    return result.metrics().getFirst().forecast().orElseThrow().lead();
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
        settings(Duration.ofMinutes(1))
            .withMetrics(List.of(REQUESTS, new MetricSettings("tokens", 1000)))
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
  void aTickNeverWaitsForAFit() {
    var later = new ArrayDeque<Runnable>();
    double[] demand = wave(3 * DAY, DAY, 8);
    var cycle =
        new ScalingCycle(
            settings(Duration.ofMinutes(1)), LeadTime.declared(LEAD), START, later::add);
    cycle.learn("requests", series(START.minus(Duration.ofMinutes(demand.length)), demand));
    for (int minute = 1; minute <= 30; minute++) {
      var metric = tick(cycle, minute, 100 + minute).metrics().getFirst();
      assertThat(metric.served().orElseThrow().computedAt()).isEqualTo(at(minute));
      assertThat(metric.retargeting()).isTrue();
    }
    while (!later.isEmpty()) {
      later.remove().run();
    }
    var metric = tick(cycle, 31, 131).metrics().getFirst();

    assertThat(metric.retargeting()).isFalse();
    assertThat(metric.trust().state()).isEqualTo(State.CLOSED);
    assertThat(metric.observed()).hasValue(131);
    assertThat(metric.forecast().orElseThrow().origin()).isEqualTo(at(31));
  }

  @Test
  void goesOnAfterAGapLongerThanItsMemory() {
    var settings =
        settings(Duration.ofSeconds(1))
            .withForecast(
                new ForecastSettings(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    Duration.ofHours(6),
                    Duration.ofHours(1),
                    ZoneOffset.UTC,
                    EventCalendar.empty(),
                    1,
                    PeakSettings.EVERY_MEMBER));
    var cycle = cycle(settings);
    Instant before = START.plusSeconds(1);
    Instant after = START.plus(Duration.ofDays(30));
    Ticks.tick(cycle, before, reading(before, 50), state(5, LEAD));
    var metric = Ticks.tick(cycle, after, reading(after, 70), state(5, LEAD)).metrics().getFirst();

    assertThat(metric.served().orElseThrow().value()).isEqualTo(70);
    assertThat(metric.observedUntil()).hasValue(after);
  }

  @Test
  void aHistoryThatEndsEarlierIsJoinedToWhatWasSeen() {
    double[] demand = wave(3 * DAY, DAY, 9);
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    for (int minute = 1; minute <= 20; minute++) {
      tick(cycle, minute, 100);
    }
    cycle.learn("requests", series(START.minus(Duration.ofMinutes(demand.length + 5)), demand));
    var metric = tick(cycle, 21, 100).metrics().getFirst();

    assertThat(cycle.observedUntil("requests")).isEqualTo(at(21));
    assertThat(metric.forecast().orElseThrow().parts().level()).isCloseTo(100, within(1e-9));
    assertThat(metric.trust().state()).isEqualTo(State.CLOSED);
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
    assertThatThrownBy(
            () -> settings(Duration.ofMinutes(1)).withMetrics(List.of(REQUESTS, REQUESTS)))
        .hasMessage("two metrics are named requests");
    assertThatThrownBy(() -> settings(Duration.ofMinutes(1)).withMetrics(List.of()))
        .hasMessage("a target has 1 to 8 metrics: 0");
    assertThatThrownBy(() -> settings(Duration.ofMinutes(1)).withTimeToLive(Duration.ofSeconds(90)))
        .hasMessage("time to live must be from two steps to PT24H: PT1M30S");
    assertThatThrownBy(() -> settings(Duration.ofMillis(1500)))
        .hasMessage("step must be whole seconds: PT1.5S");
  }

  @Test
  void anEmptyHistoryAndOneOfNothingChangeNothing() {
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    double[] nothing = new double[300];
    Arrays.fill(nothing, Double.NaN);
    cycle.learn("requests", TimeSeries.of(START, Duration.ofMinutes(1)));
    cycle.learn("requests", series(START.minus(Duration.ofHours(5)), nothing));
    var metric = tick(cycle, 1, 42).metrics().getFirst();

    assertThat(metric.served().orElseThrow().value()).isEqualTo(42);
    assertThat(metric.trust().state()).isEqualTo(State.LEARNING);
  }

  @Test
  void aHistoryWithAbsurdValuesIsUsedWithoutThem() {
    double[] demand = wave(2 * DAY, DAY, 10);
    demand[500] = 1e300;
    demand[600] = -5;
    var late =
        new ScalingCycle(
            settings(Duration.ofMinutes(1)), LeadTime.declared(LEAD), Instant.EPOCH, Runnable::run);
    late.learn("requests", series(START.minus(Duration.ofMinutes(demand.length)), demand));
    var metric = tick(late, 1, 100).metrics().getFirst();

    assertThat(metric.trust().state()).isEqualTo(State.CLOSED);
    assertThat(metric.forecast().orElseThrow().p99()).isLessThan(200);
  }

  private static ScalingCycle cycle(TargetSettings settings) {
    return cycle(settings, LEAD);
  }

  private static ScalingCycle cycle(TargetSettings settings, Duration lead) {
    return new ScalingCycle(settings, LeadTime.declared(lead), START, Runnable::run);
  }

  private static TargetSettings settings(Duration step) {
    var defaults = ForecastSettings.defaults();
    return TargetSettings.of(REQUESTS)
        .withTimeToLive(Duration.ofHours(2))
        .withForecast(
            new ForecastSettings(
                step,
                step.multipliedBy(5),
                defaults.remember(),
                defaults.refitEvery(),
                defaults.zone(),
                defaults.calendar(),
                defaults.seed(),
                defaults.members()));
  }

  private static CycleResult tick(ScalingCycle cycle, int minute, double demand) {
    return Ticks.tick(cycle, at(minute), reading(at(minute), demand), state(10, LEAD));
  }

  private static CycleResult tick(
      ScalingCycle cycle, int minute, Reading requests, Reading tokens) {
    var readings = Map.of("requests", requests, "tokens", tokens);
    return Ticks.tick(cycle, at(minute), readings, state(10, LEAD));
  }

  private static Reading reading(Instant time, double value) {
    return new Reading.Observed(List.of(new Sample(time, value)));
  }

  private static Reading none() {
    return new Reading.Observed(List.of());
  }

  private static ReplicaState state(int replicas, Duration lead) {
    return new ReplicaState(replicas, replicas, LeadTime.declared(lead), Optional.empty());
  }

  private static TimeSeries series(Instant start, double[] values) {
    return TimeSeries.of(start, Duration.ofMinutes(1), values);
  }

  /** Around 100, lowest 50 and highest 150, rising at its ends, with noise of about 1. */
  private static double[] wave(int steps, int period, long seed) {
    var random = new SplittableRandom(seed);
    double[] demand = new double[steps];
    for (int i = 0; i < steps; i++) {
      double phase = 2 * Math.PI * (i - steps) / period;
      demand[i] = 100 + 50 * Math.sin(phase) + random.nextGaussian();
    }
    return demand;
  }

  private static Instant at(int minute) {
    return START.plus(Duration.ofMinutes(minute));
  }
}
