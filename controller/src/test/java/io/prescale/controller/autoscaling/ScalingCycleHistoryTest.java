package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.DAY;
import static io.prescale.controller.autoscaling.ScalingCycles.LEAD;
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
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.Trust.State;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cycle makes of histories, gaps and changed lead times. */
class ScalingCycleHistoryTest {
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

  private static ScalingCycle learningThreeDays(Executor fits) {
    double[] demand = wave(3 * DAY, DAY, 8);
    var cycle =
        new ScalingCycle(settings(Duration.ofMinutes(1)), LeadTime.declared(LEAD), START, fits);
    cycle.learn("requests", series(START.minus(Duration.ofMinutes(demand.length)), demand));
    return cycle;
  }

  @ParameterizedTest(name = "steps of {0} min")
  @ValueSource(ints = {1, 30, 60})
  void aHistoryOfTwoWeeksIsTrustedFromTheFirstTick(int minutes) {
    var step = Duration.ofMinutes(minutes);
    int perDay = DAY / minutes;
    var cycle = new ScalingCycle(settings(step), LeadTime.declared(step), START, Runnable::run);
    cycle.learn(
        "requests",
        TimeSeries.of(START.minus(Duration.ofDays(14)), step, wave(14 * perDay, perDay, 8)));

    var now = START.plus(step);
    var result = Ticks.tick(cycle, now, reading(now, 100), state(10, step));

    assertThat(result.metrics().getFirst().trust().state()).isEqualTo(State.CLOSED);
  }

  /** As when the first scale-up of a new service takes longer than the default. */
  @Test
  void trustedForecastsAreFollowedUntilThoseForAnotherLeadTimeCanBeJudged() {
    var cycle = ScalingCycles.cycle(settings(Duration.ofMinutes(1)), Duration.ofMinutes(4));
    double[] rising = wave(400, 400, 8);
    var before = State.LEARNING;
    for (int minute = 1; minute < 300; minute++) {
      var lead = Duration.ofMinutes(minute < 100 ? 4 : 7);
      var now = at(minute);
      var metric =
          Ticks.tick(cycle, now, reading(now, rising[minute]), state(10, lead))
              .metrics()
              .getFirst();
      var state = metric.trust().state();
      assertThat(before == State.CLOSED && state == State.LEARNING).as("%d", minute).isFalse();
      before = state;
    }
    assertThat(before).isNotEqualTo(State.LEARNING);
  }

  @Test
  void aTickNeverWaitsForAFit() {
    var later = new ArrayDeque<Runnable>();
    var cycle = learningThreeDays(later::add);
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
  void aRehearsedForecasterIsTrustedBeforeItsRefitIsDone() {
    var later = new ArrayDeque<Runnable>();
    var cycle = learningThreeDays(later::add);
    later.remove().run();
    var rehearsed = tick(cycle, 1, 101).metrics().getFirst();

    assertThat(rehearsed.trust().state()).isEqualTo(State.CLOSED);
    assertThat(rehearsed.decision().orElseThrow().reason()).isEqualTo(Reason.FORECAST);
    assertThat(rehearsed.modelFittedAt()).hasValue(START.minus(Duration.ofDays(1)));
    assertThat(later).as("the refit").hasSize(1);

    later.remove().run();
    var refitted = tick(cycle, 2, 102).metrics().getFirst();
    assertThat(refitted.modelFittedAt()).hasValue(at(1));
  }

  @Test
  void goesOnAfterAGapLongerThanItsMemory() {
    var settings =
        settings(
            List.of(ScalingCycles.REQUESTS),
            new ForecastSettings(
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofHours(6),
                Duration.ofHours(1),
                ZoneOffset.UTC,
                EventCalendar.empty(),
                1,
                PeakSettings.EVERY_MEMBER),
            Duration.ofHours(2));
    var cycle = cycle(settings);
    Instant before = START.plusSeconds(1);
    Instant after = START.plus(Duration.ofDays(30));
    Ticks.tick(cycle, before, reading(before, 50), state(5, LEAD));
    var metric = Ticks.tick(cycle, after, reading(after, 70), state(5, LEAD)).metrics().getFirst();

    assertThat(metric.served().orElseThrow().value()).isEqualTo(70);
    assertThat(cycle.observedUntil("requests")).isEqualTo(after);
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
  void anEmptyHistoryAndOneOfNothingChangeNothing() {
    var cycle = cycle(settings(Duration.ofMinutes(1)));
    double[] nothing = new double[300];
    Arrays.fill(nothing, Double.NaN);
    cycle.learn("requests", TimeSeries.of(START, Duration.ofMinutes(1)));
    cycle.learn("requests", series(START.minus(Duration.ofHours(5)), nothing));
    var metric = tick(cycle, 1, 42).metrics().getFirst();

    assertThat(metric.served().orElseThrow().value()).isEqualTo(42);
    assertThat(metric.trust().state()).isEqualTo(State.LEARNING);
    assertThat(metric.modelFittedAt()).isEmpty();
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
}
