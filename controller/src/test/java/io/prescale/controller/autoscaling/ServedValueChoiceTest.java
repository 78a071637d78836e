package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.Outlooks.outlook;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class ServedValueChoiceTest {
  static final List<Risk> RISKS = List.of(new Risk.Budget(0.005), new Risk.ShortageCost(9));

  private static final ReplicaChoice REPLICAS = new ReplicaChoice(10, new DeadBand(0, 0));

  @ParameterizedTest
  @FieldSource("RISKS")
  void withoutAForecastTheObservationIsServed(Risk risk) {
    for (boolean trusted : new boolean[] {true, false}) {
      var decision =
          choice(risk).decide(outlook(Optional.empty(), trusted, OptionalDouble.of(42)), 3);
      assertThat(decision)
          .isEqualTo(
              new ScalingDecision(
                  OptionalDouble.of(42), 5, OptionalDouble.empty(), Reason.NO_FORECAST));
    }
  }

  @ParameterizedTest
  @FieldSource("RISKS")
  void anUntrustedForecastOnlyGivesTheRiskOfTheObservation(Risk risk) {
    var decision =
        choice(risk)
            .decide(outlook(Optional.of(Forecasts.exactly(55)), false, OptionalDouble.of(42)), 3);
    assertThat(decision)
        .isEqualTo(
            new ScalingDecision(
                OptionalDouble.of(42), 5, OptionalDouble.of(0.95), Reason.NOT_TRUSTED));
  }

  @ParameterizedTest
  @FieldSource("RISKS")
  void withoutAnObservationATrustedForecastDecides(Risk risk) {
    var decision =
        choice(risk)
            .decide(outlook(Optional.of(Forecasts.exactly(55)), true, OptionalDouble.empty()), 3);
    assertThat(decision.desiredReplicas()).isEqualTo(6);
    assertThat(decision.reason()).isEqualTo(Reason.FORECAST);
  }

  @ParameterizedTest
  @FieldSource("RISKS")
  void servesNothingWhenNothingIsKnown(Risk risk) {
    var nothing =
        new ScalingDecision(
            OptionalDouble.empty(), 0, OptionalDouble.empty(), Reason.NOTHING_KNOWN);
    var choice = choice(risk);
    assertThat(choice.decide(outlook(Optional.empty(), true, OptionalDouble.empty()), 3))
        .isEqualTo(nothing);
    assertThat(
            choice.decide(
                outlook(Optional.of(Forecasts.exactly(55)), false, OptionalDouble.empty()), 3))
        .isEqualTo(nothing);
  }

  /** As an HPA that aims at 80 %. */
  @ParameterizedTest
  @FieldSource("RISKS")
  void whatIsNotForecastHasHeadroom(Risk risk) {
    var choice = choice(risk, 0.8, Duration.ofMinutes(5));
    var unknown = choice.decide(outlook(Optional.empty(), false, OptionalDouble.of(42)), 3);
    assertThat(unknown.servedValue()).hasValue(52.5);
    assertThat(unknown.desiredReplicas()).isEqualTo(6);
    var untrusted = outlook(Optional.of(Forecasts.exactly(48)), false, OptionalDouble.of(42));
    assertThat(choice.decide(untrusted, 3).servedValue()).hasValue(52.5);
  }

  @ParameterizedTest
  @FieldSource("RISKS")
  void whileForecastsAreNotTrustedTheDayBeforeIsFollowedWhereItWasBetter(Risk risk) {
    var choice = choice(risk, 0.8, Duration.ofMinutes(5));
    var higher = choice.decide(untrusted(40, 90), 3);
    assertThat(higher)
        .isEqualTo(
            new ScalingDecision(OptionalDouble.of(90), 9, OptionalDouble.of(0), Reason.DAY_BEFORE));
    var lower = choice.decide(untrusted(40, 49), 3);
    assertThat(lower.servedValue()).as("with headroom").hasValue(50);
    assertThat(lower.reason()).isEqualTo(Reason.NOT_TRUSTED);
  }

  /** Forecasts one minute ahead, for an HPA that stops replicas at once. */
  @ParameterizedTest
  @FieldSource("RISKS")
  void whatTheDayBeforeStartedWaitsForItsWindow(Risk risk) {
    var choice = choice(risk, 0.8, Duration.ZERO);
    choice.decide(untrusted(10, 90), 3);
    var next = choice.decide(untrusted(10, 20), 9);
    assertThat(next.desiredReplicas()).isEqualTo(9);
    assertThat(next.reason()).isEqualTo(Reason.STARTED_AHEAD);
  }

  /** Demand is worth 7 replicas, of which 5 serve, at a forecast that asks for 5 or for 8. */
  @ParameterizedTest(name = "forecast {0}, at most {1}")
  @CsvSource({"48, 100, true", "78, 100, false", "48, 5, false"})
  void aShortageCountsOnlyWhereMoreHadToBeAskedFor(double forecast, int most, boolean counts) {
    var choice = choice(new Risk.Budget(0.005));
    for (int minute = 0; minute < 2880; minute++) {
      var origin = Instant.EPOCH.plus(Duration.ofMinutes(minute));
      var made = Forecasts.at(origin, 1, 1, 1, 1, forecast, forecast, forecast, forecast);
      choice.stepPassed(70, 5, most, origin.minusSeconds(60));
      choice.decide(outlook(Optional.of(made), true, OptionalDouble.of(45)), 5);
    }
    assertThat(choice.missedBudget().isPresent()).isEqualTo(counts);
  }

  private static Outlook untrusted(double newest, double dayBefore) {
    return new Outlook(
        Optional.of(Forecasts.exactly(48)),
        false,
        OptionalDouble.of(newest),
        OptionalDouble.of(dayBefore));
  }

  private static ServedValueChoice choice(Risk risk) {
    return choice(risk, 1, Duration.ofMinutes(5));
  }

  private static ServedValueChoice choice(Risk risk, double utilization, Duration stabilization) {
    return new ServedValueChoice(
        REPLICAS,
        risk,
        Duration.ofMinutes(1),
        stabilization,
        utilization,
        Optional.empty(),
        (_, _) -> OptionalDouble.empty());
  }
}
