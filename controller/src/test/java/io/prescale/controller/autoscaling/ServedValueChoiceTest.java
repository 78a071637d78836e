package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ServedValueChoiceTest {
  static final List<Risk> RISKS = List.of(new Risk.Budget(0.005), new Risk.ShortageCost(9));

  private static final ReplicaChoice REPLICAS = new ReplicaChoice(10, new DeadBand(0, 0));

  @ParameterizedTest
  @FieldSource("RISKS")
  void withoutAForecastTheObservationIsServed(Risk risk) {
    for (boolean trusted : new boolean[] {true, false}) {
      var decision = choice(risk).decide(Optional.empty(), trusted, OptionalDouble.of(42), 3);
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
        choice(risk).decide(Optional.of(Forecasts.exactly(55)), false, OptionalDouble.of(42), 3);
    assertThat(decision)
        .isEqualTo(
            new ScalingDecision(
                OptionalDouble.of(42), 5, OptionalDouble.of(0.95), Reason.NOT_TRUSTED));
  }

  @ParameterizedTest
  @FieldSource("RISKS")
  void withoutAnObservationATrustedForecastDecides(Risk risk) {
    var decision =
        choice(risk).decide(Optional.of(Forecasts.exactly(55)), true, OptionalDouble.empty(), 3);
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
    assertThat(choice.decide(Optional.empty(), true, OptionalDouble.empty(), 3)).isEqualTo(nothing);
    assertThat(choice.decide(Optional.of(Forecasts.exactly(55)), false, OptionalDouble.empty(), 3))
        .isEqualTo(nothing);
  }

  private static ServedValueChoice choice(Risk risk) {
    return new ServedValueChoice(
        REPLICAS,
        risk,
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Optional.empty(),
        (_, _) -> OptionalDouble.empty());
  }
}
