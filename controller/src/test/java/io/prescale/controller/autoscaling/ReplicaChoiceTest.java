package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.forecasting.online.QuantileForecast;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaChoiceTest {
  private static final DeadBand NONE = new DeadBand(0, 0);
  private static final DeadBand TENTH = new DeadBand(0.1, 0.1);

  @Test
  void aBudgetBuysTheReplicasWhoseCostAndRiskAreLeast() {
    var random = new SplittableRandom(1);
    for (int round = 0; round < 2000; round++) {
      var forecast = Forecasts.random(random);
      double capacity = 1 + 20 * random.nextDouble();
      double newest = 300 * random.nextDouble();
      double price = Math.exp(8 * random.nextDouble());
      var decision = new ReplicaChoice(capacity, NONE).withBudget(forecast, newest, 1, price);
      double likely = Math.max(newest, forecast.quantile(0.5) - 0.001 * capacity);
      int floor = Math.max(1, (int) Math.ceil(likely / capacity));
      double cost = cost(forecast, decision.desiredReplicas(), capacity, price);
      for (int n = floor; n < floor + 1200; n++) {
        assertThat(cost(forecast, n, capacity, price))
            .as("round %d: %d instead of %s", round, n, decision)
            .isGreaterThanOrEqualTo(cost - 1e-9);
      }
      assertThat(decision.desiredReplicas()).isGreaterThanOrEqualTo(floor);
    }
  }

  /** A price in proportion to a usual size of one replica would buy no rise to sixteen. */
  @Test
  void demandThatIsLikelierThanNotIsMetAtAnyPrice() {
    var choice = new ReplicaChoice(10, NONE);

    assertThat(choice.withBudget(Forecasts.exactly(155), 8, 1, 5).desiredReplicas()).isEqualTo(16);
    assertThat(
            choice.withBudget(Forecasts.of(8, 8, 8, 9, 9, 9, 155, 155), 8, 1, 5).desiredReplicas())
        .as("what is improbable has its price")
        .isEqualTo(1);
  }

  @Test
  void whatWasStartedForLikelyDemandStaysWhileTheMedianMovesWithinTheTolerance() {
    var choice = new ReplicaChoice(1, TENTH);
    for (int current = 36; current <= 44; current++) {
      assertThat(choice.withBudget(Forecasts.exactly(41), 0.8, current, 18).desiredReplicas())
          .as("with %d", current)
          .isGreaterThanOrEqualTo(Math.min(41, current));
    }
  }

  private static double cost(QuantileForecast forecast, int n, double capacity, double price) {
    return n + price * shortage(forecast, n, capacity);
  }

  /** A thousandth of a replica is not missed. */
  private static double shortage(QuantileForecast forecast, int n, double capacity) {
    return forecast.exceedance((n + 0.001) * capacity);
  }

  @Test
  void aConstantDemandThatFillsItsReplicasNeedsNoOtherForWhatModelsRound() {
    var forecast = Forecasts.exactly(30.0002);
    var choice = new ReplicaChoice(10, NONE);
    assertThat(choice.withBudget(forecast, 30, 3, 1e5).desiredReplicas()).isEqualTo(3);
    assertThat(
            choice.withShortageCost(forecast, 30, 3, new Risk.ShortageCost(50)).desiredReplicas())
        .isEqualTo(3);
    assertThat(choice.withBudget(Forecasts.exactly(30.1), 30, 3, 1e5).desiredReplicas())
        .isEqualTo(4);
  }

  @Test
  void aHigherPriceNeverBuysFewer() {
    var random = new SplittableRandom(2);
    for (int round = 0; round < 500; round++) {
      var forecast = Forecasts.random(random);
      var choice = new ReplicaChoice(5, NONE);
      int before = 0;
      for (double price = 1; price < 1e5; price *= 3) {
        int now = choice.withBudget(forecast, 0, 1, price).desiredReplicas();
        assertThat(now).isGreaterThanOrEqualTo(before);
        before = now;
      }
    }
  }

  @Test
  void withoutAPriceOnlyTheObservedAndTheLikelyAreCovered() {
    var unlikely = Forecasts.of(30, 30, 40, 90, 200, 300, 400, 500);
    var decision = new ReplicaChoice(10, NONE).withBudget(unlikely, 42, 1, 0);
    assertThat(decision.desiredReplicas()).isEqualTo(5);
    assertThat(decision.servedValue().orElseThrow()).isEqualTo(50);
  }

  @Test
  void shortageCostIsTheNewsvendorsQuantile() {
    var random = new SplittableRandom(3);
    for (int round = 0; round < 2000; round++) {
      var forecast = Forecasts.random(random);
      double capacity = 1 + 20 * random.nextDouble();
      double idle = 1.1 + 300 * random.nextDouble();
      var decision =
          new ReplicaChoice(capacity, NONE)
              .withShortageCost(forecast, 0, 1, new Risk.ShortageCost(idle));
      int n = decision.desiredReplicas();
      assertThat(shortage(forecast, n, capacity)).isLessThanOrEqualTo(1 / idle);
      assertThat(n == 1 || shortage(forecast, n - 1, capacity) > 1 / idle)
          .as("round %d: %s, one fewer would do", round, decision)
          .isTrue();
    }
    // 1 / 20: the 95 % quantile, which is 95 here.
    var decision =
        new ReplicaChoice(10, NONE)
            .withShortageCost(
                Forecasts.of(10, 20, 50, 70, 85, 95, 120, 150), 0, 1, new Risk.ShortageCost(20));
    assertThat(decision.desiredReplicas()).isEqualTo(10);
    assertThat(decision.shortageProbability().orElseThrow())
        .isCloseTo(0.05 - 0.04 * 5 / 25, within(1e-9));
  }

  @Test
  void neverServesLessThanTheNewestObservation() {
    var random = new SplittableRandom(4);
    for (int round = 0; round < 20_000; round++) {
      var forecast = Forecasts.random(random);
      double newest = 600 * random.nextDouble();
      int current = 1 + random.nextInt(80);
      var choice =
          new ReplicaChoice(0.5 + 20 * random.nextDouble(), random.nextBoolean() ? NONE : TENTH);
      var decision =
          random.nextBoolean()
              ? choice.withBudget(forecast, newest, current, 1000 * random.nextDouble())
              : choice.withShortageCost(
                  forecast,
                  newest,
                  current,
                  new Risk.ShortageCost(1.01 + 99 * random.nextDouble()));
      assertThat(decision.servedValue().orElseThrow())
          .as("%s", decision)
          .isGreaterThanOrEqualTo(newest);
      assertThat(decision.desiredReplicas() * choice.capacityPerReplica())
          .isGreaterThanOrEqualTo(newest * (1 - 1e-9));
    }
  }

  @Test
  void anObservationAboveTheForecastIsServedAsItIs() {
    var decision =
        new ReplicaChoice(10, NONE)
            .withShortageCost(Forecasts.exactly(30), 77.5, 3, new Risk.ShortageCost(20));
    assertThat(decision)
        .isEqualTo(
            new ScalingDecision(
                OptionalDouble.of(77.5), 8, OptionalDouble.of(0), Reason.NEVER_BELOW_OBSERVED));
  }

  /** The forecast alone asks for 2; 8 carry 80, which demand exceeds with a probability of 5 %. */
  @Test
  void theProbabilityOfAShortageIsThatOfTheReplicasAskedFor() {
    var forecast = Forecasts.of(10, 15, 20, 30, 50, 80, 100, 120);
    var decision =
        new ReplicaChoice(10, NONE).withShortageCost(forecast, 77.5, 3, new Risk.ShortageCost(2));
    assertThat(decision.desiredReplicas()).isEqualTo(8);
    assertThat(decision.shortageProbability()).hasValueCloseTo(0.05, within(1e-9));
  }

  @Test
  void thereIsAlwaysOneReplica() {
    var decision = new ReplicaChoice(10, NONE).withBudget(Forecasts.exactly(0), 0, 1, 100);
    assertThat(decision.desiredReplicas()).isEqualTo(1);
  }

  @Test
  void insideTheToleranceThePresentNumberOrOneOutsideIsChosen() {
    // 21 are needed for certain; with 20 and a tolerance of 10 % an HPA does nothing up to 22.
    var choice = new ReplicaChoice(10, TENTH);
    var certain = Forecasts.exactly(205);
    assertThat(choice.withBudget(certain, 0, 20, 1000).desiredReplicas()).isEqualTo(23);
    assertThat(choice.withBudget(certain, 0, 20, 2).desiredReplicas())
        .as("cheaper to fall short")
        .isLessThanOrEqualTo(20);
    assertThat(choice.withBudget(certain, 0, 22, 1000).desiredReplicas())
        .as("21 would be ignored")
        .isEqualTo(22);
    assertThat(choice.withShortageCost(certain, 0, 20, new Risk.ShortageCost(20)).desiredReplicas())
        .isEqualTo(23);
  }

  @Test
  void manyTinyReplicasAreForecastLikeAFewLargeOnes() {
    var forecast = Forecasts.of(10, 20, 50, 70, 85, 95, 120, 150);
    for (double capacity : new double[] {10, 1, 1e-3, 1e-6}) {
      var choice = new ReplicaChoice(capacity, NONE);
      var newsvendor = choice.withShortageCost(forecast, 0, 1, new Risk.ShortageCost(20));
      assertThat(newsvendor.servedValue().orElseThrow()).isBetween(95.0, 100.0);
      var budget = choice.withBudget(forecast, 60, 1, 1e4 / capacity);
      assertThat(budget.servedValue().orElseThrow())
          .as("capacity %s", capacity)
          .isBetween(150.0, 211.0);
      assertThat(budget.reason()).isEqualTo(Reason.FORECAST);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e9, 1e12, 1e300})
  void absurdDemandDoesNotHang(double demand) {
    var choice = new ReplicaChoice(0.001, TENTH);
    var forecast = Forecasts.exactly(demand);
    assertThat(choice.withBudget(forecast, demand, 1, 1e6).servedValue().orElseThrow())
        .isGreaterThanOrEqualTo(demand);
    assertThat(
            choice
                .withShortageCost(forecast, demand, 1, new Risk.ShortageCost(100))
                .servedValue()
                .orElseThrow())
        .isGreaterThanOrEqualTo(demand);
    assertThat(choice.withBudget(forecast, 0, 1, 1e6).desiredReplicas()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesACapacityThatIsNone(double capacity) {
    assertThatThrownBy(() -> new ReplicaChoice(capacity, NONE))
        .hasMessage("capacity must be above 0: " + capacity);
  }
}
