package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.Outlooks.outlook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.autoscaling.Activity.Cause;
import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.online.ForecastParts;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdleRuleTest {
  private static final double CAPACITY = 10;
  private static final double RISK = 0.05;
  private static final Instant NOW = Instant.parse("2026-03-02T03:00:00Z");
  private static final Duration LEAD = Duration.ofMinutes(10);
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final OptionalDouble NO_DEMAND = OptionalDouble.of(0);

  @Test
  void isIdleWhileThereIsNoDemandAndNoneIsForecast() {
    var activity = rule().judge(nothing(NOW), NO_DEMAND);

    assertThat(activity).isEqualTo(new Activity(Cause.IDLE, OptionalDouble.of(0)));
    assertThat(activity.isIdle()).isTrue();
  }

  @Test
  void isAwakeAtTheFirstObservationWhateverIsForecast() {
    assertThat(rule().judge(nothing(NOW), OptionalDouble.of(0.01)).cause())
        .isEqualTo(Cause.OBSERVED_DEMAND);
    assertThat(rule().judge(Optional.empty(), OptionalDouble.of(3)).cause())
        .isEqualTo(Cause.OBSERVED_DEMAND);
  }

  @Test
  void whatIsUnknownKeepsAReplica() {
    var withoutForecast = rule().judge(Optional.empty(), NO_DEMAND);
    assertThat(withoutForecast).isEqualTo(new Activity(Cause.UNKNOWN, OptionalDouble.empty()));
    assertThat(rule().judge(nothing(NOW), OptionalDouble.empty()).cause()).isEqualTo(Cause.UNKNOWN);
  }

  @Test
  void wakesWhenDemandIsLikelierThanTheAcceptedRisk() {
    assertThat(rule().judge(likely(NOW, 0.06), NO_DEMAND).cause()).isEqualTo(Cause.FORECAST);
    assertThat(rule().judge(likely(NOW, 0.04), NO_DEMAND).cause()).isEqualTo(Cause.IDLE);
  }

  @Test
  void staysAwakeUntilTheWindowForWhichDemandWasForecastIsOver() {
    var rule = rule();
    assertThat(rule.judge(likely(NOW, 0.5), NO_DEMAND).cause()).isEqualTo(Cause.FORECAST);
    var end = NOW.plus(LEAD).plus(WINDOW);

    var shortlyBefore = rule.judge(nothing(end.minusSeconds(60)), NO_DEMAND);
    assertThat(shortlyBefore).isEqualTo(new Activity(Cause.FORECAST, OptionalDouble.of(0)));
    assertThat(rule.judge(nothing(end), NO_DEMAND).cause()).isEqualTo(Cause.IDLE);
  }

  @Test
  void aDeclaredEventWakesBeforeItBeginsAndUntilItEnds() {
    var start = NOW.plus(Duration.ofHours(1));
    var end = start.plus(Duration.ofHours(2));
    var rule = rule(new Event("launch", start, end, OptionalDouble.empty()));
    var ahead = LEAD.plus(WINDOW);

    assertThat(rule.judge(nothing(start.minus(ahead)), NO_DEMAND).cause()).isEqualTo(Cause.IDLE);
    assertThat(rule.judge(nothing(start.minus(ahead).plusSeconds(1)), NO_DEMAND).cause())
        .isEqualTo(Cause.DECLARED_EVENT);
    assertThat(rule.judge(nothing(end.minusSeconds(1)), NO_DEMAND).cause())
        .isEqualTo(Cause.DECLARED_EVENT);
    assertThat(rule.judge(nothing(end), NO_DEMAND).cause()).isEqualTo(Cause.IDLE);
  }

  @Test
  void anEventThatLowersDemandDoesNotWake() {
    var holiday = new Event("holiday", NOW, NOW.plus(Duration.ofDays(1)), OptionalDouble.of(0.2));

    assertThat(rule(holiday).judge(nothing(NOW), NO_DEMAND).cause()).isEqualTo(Cause.IDLE);
  }

  @Test
  void aThousandthOfAReplicaIsNothing() {
    var rounded = new QuantileForecast(NOW, LEAD, WINDOW, levels(), values(0.004), parts());
    assertThat(rule().judge(Optional.of(rounded), NO_DEMAND).cause()).isEqualTo(Cause.IDLE);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 0.51, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesARiskThatIsNone(double risk) {
    assertThatThrownBy(() -> new IdleRule(CAPACITY, risk, EventCalendar.empty()))
        .hasMessageContaining("risk at zero must be above 0 and at most 0.5");
  }

  @Test
  void theValueOfAnIdleTargetIs0AndThatOfOneThatIsAwakeAsksForAReplica() {
    var choice = choice();
    var idle = choice.decide(outlook(nothing(NOW), true, NO_DEMAND), 1);
    assertThat(idle.servedValue()).hasValue(0);
    assertThat(idle.desiredReplicas()).isZero();
    assertThat(idle.reason()).isEqualTo(ScalingDecision.Reason.IDLE);

    var untrusted = choice.decide(outlook(nothing(NOW), false, NO_DEMAND), 1);
    assertThat(untrusted.servedValue()).hasValue(CAPACITY);
    assertThat(untrusted.desiredReplicas()).isOne();
    assertThat(untrusted.reason()).isEqualTo(ScalingDecision.Reason.NOT_TRUSTED);
    assertThat(untrusted.activity().orElseThrow().cause()).isEqualTo(Cause.UNKNOWN);
  }

  @Test
  void aLoneRequestAsksForAWholeReplica() {
    var decision = choice().decide(outlook(Optional.empty(), true, OptionalDouble.of(1)), 0);
    assertThat(decision.servedValue()).hasValue(CAPACITY);
    assertThat(decision.activity().orElseThrow().cause()).isEqualTo(Cause.OBSERVED_DEMAND);
  }

  @Test
  void whereNothingIsKnownNothingIsServed() {
    var decision = choice().decide(outlook(Optional.empty(), true, OptionalDouble.empty()), 1);
    assertThat(decision.servedValue()).isEmpty();
    assertThat(decision.reason()).isEqualTo(ScalingDecision.Reason.NOTHING_KNOWN);
  }

  private static ServedValueChoice choice() {
    return new ServedValueChoice(
        new ReplicaChoice(CAPACITY, new DeadBand(0, 0.1)),
        new Risk.Budget(0.005),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        1,
        Optional.of(rule()),
        (_, _) -> OptionalDouble.empty());
  }

  private static IdleRule rule(Event... events) {
    return new IdleRule(CAPACITY, RISK, new EventCalendar(List.of(events), List.of()));
  }

  private static Optional<QuantileForecast> nothing(Instant origin) {
    return Optional.of(new QuantileForecast(origin, LEAD, WINDOW, levels(), values(0), parts()));
  }

  /** Nothing, or with a probability a demand of 8. */
  private static Optional<QuantileForecast> likely(Instant origin, double probability) {
    double level = 1 - probability;
    return Optional.of(
        new QuantileForecast(
            origin,
            LEAD,
            WINDOW,
            new double[] {0.05, level, level + 1e-6, 0.999},
            new double[] {0, 0, 8, 8},
            parts()));
  }

  private static double[] levels() {
    return new double[] {0.05, 0.5, 0.95, 0.998};
  }

  private static double[] values(double each) {
    return new double[] {each, each, each, each};
  }

  private static ForecastParts parts() {
    return new ForecastParts(0, 0, 0, 0, 0, List.of());
  }
}
