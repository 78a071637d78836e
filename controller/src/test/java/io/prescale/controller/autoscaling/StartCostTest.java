package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.Outlooks.outlook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartCostTest {
  private static final DeadBand NONE = new DeadBand(0, 0);
  private static final StartCost TWENTY = new StartCost(20);
  private static final Duration SIX_MINUTES = Duration.ofMinutes(6);

  /** Demand beyond 10, 20, 30, … with a probability of 0.1, 0.05, 0.01 and 0.002. */
  private static final double[] DEMAND = {2, 4, 6, 8, 10, 20, 30, 40};

  @Test
  void aStartIsPaidForInFortyMinutesAndAStopGivesUpAThird() {
    assertThat(TWENTY.aMinuteStarted()).isEqualTo(0.5);
    assertThat(TWENTY.aMinuteStopped()).isCloseTo(0.1667, within(1e-4));
    assertThat(TWENTY.leastProbability(SIX_MINUTES)).hasValue(0.3);
    assertThat(new StartCost(60).aMinuteStopped()).isEqualTo(0.5);
    assertThat(new StartCost(60).leastProbability(SIX_MINUTES)).hasValue(0.1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, 6})
  void whereAStartIsCheapNothingIsKept(double replicaMinutes) {
    assertThat(new StartCost(replicaMinutes).leastProbability(SIX_MINUTES)).isEmpty();
  }

  /** Where a replica that is asked for stays for long, it must be likelier to be needed. */
  @Test
  void theStepAndTheWindowOfTheHpaSayWhatKeepingCosts() {
    assertThat(TWENTY.leastProbability(Duration.ofMinutes(15))).hasValue(0.75);
    assertThat(TWENTY.leastProbability(Duration.ofMinutes(1))).hasValue(0.05);
    assertThat(TWENTY.leastProbability(Duration.ofMinutes(20))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 60.1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesNonsense(double replicaMinutes) {
    assertThatThrownBy(() -> new StartCost(replicaMinutes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("start cost must be from 0 to 60 replica-minutes: " + replicaMinutes);
  }

  /** The third replica lowers the risk by 0.04: it is worth 1 at a price of 25 replica-minutes. */
  @ParameterizedTest
  @CsvSource({
    // price, current, free, with a start cost of 20
    "24, 2, 2, 2", "26, 2, 3, 2", "37, 2, 3, 2", "38, 2, 3, 3", // a start is worth 1.5
    "26, 3, 3, 3", "24, 3, 2, 3", "21, 3, 2, 3", "20.5, 3, 2, 2", // a stop 0.83
  })
  void withABudgetAReplicaIsStartedForMoreAndStoppedForLess(
      double price, int current, int free, int priced) {
    var forecast = Forecasts.of(DEMAND);
    assertThat(
            new ReplicaChoice(10, NONE).withBudget(forecast, 0, current, price).desiredReplicas())
        .isEqualTo(free);
    assertThat(
            new ReplicaChoice(10, NONE, TWENTY)
                .withBudget(forecast, 0, current, price)
                .desiredReplicas())
        .isEqualTo(priced);
  }

  /** Two replicas leave a risk of 0.05, which is 1 / 20. */
  @ParameterizedTest
  @CsvSource({
    "19, 2, 2, 2",
    "22, 2, 3, 2",
    "29, 2, 3, 2",
    "31, 2, 3, 3",
    "22, 3, 3, 3",
    "18, 3, 2, 3",
    "16, 3, 2, 2",
  })
  void withAShortageCostToo(double idle, int current, int free, int priced) {
    var forecast = Forecasts.of(DEMAND);
    var cost = new Risk.ShortageCost(idle);
    assertThat(
            new ReplicaChoice(10, NONE)
                .withShortageCost(forecast, 0, current, cost)
                .desiredReplicas())
        .isEqualTo(free);
    assertThat(
            new ReplicaChoice(10, NONE, TWENTY)
                .withShortageCost(forecast, 0, current, cost)
                .desiredReplicas())
        .isEqualTo(priced);
  }

  @Test
  void certainDemandIsMetWhateverAStartCosts() {
    var choice = new ReplicaChoice(10, NONE, new StartCost(60));
    assertThat(choice.withBudget(Forecasts.exactly(95), 0, 3, 100).desiredReplicas()).isEqualTo(10);
    assertThat(choice.withBudget(Forecasts.exactly(5), 95, 3, 100).desiredReplicas()).isEqualTo(10);
    assertThat(
            choice
                .withShortageCost(Forecasts.exactly(95), 0, 3, new Risk.ShortageCost(2))
                .desiredReplicas())
        .isEqualTo(10);
  }

  @Test
  void keepsWhatIsLikelyToBeNeededAgainAndNoMoreThanThereIs() {
    var choice = new ReplicaChoice(10, NONE, TWENTY);
    var forecast = Forecasts.exactly(45);
    var chosen = choice.withBudget(forecast, 0, 8, 0);
    assertThat(choice.keeping(chosen, 0, 8, forecast)).isEqualTo(chosen);
    assertThat(choice.keeping(chosen, 10, 8, forecast)).isEqualTo(chosen);
    assertThat(choice.keeping(chosen, 60.005, 8, forecast).desiredReplicas())
        .as("what models round constant demand by")
        .isEqualTo(6);
    var kept = choice.keeping(chosen, 65, 8, forecast);
    assertThat(kept.desiredReplicas()).isEqualTo(7);
    assertThat(kept.reason()).isEqualTo(Reason.KEPT);
    assertThat(kept.servedValue()).hasValue(70);
    assertThat(kept.shortageProbability()).hasValue(0);
    assertThat(choice.keeping(chosen, 1e300, 8, forecast).desiredReplicas()).isEqualTo(8);
  }

  /** Of 20 replicas the HPA keeps all where 19 are asked for. */
  @Test
  void asksForNothingThatTheHpaWouldIgnore() {
    var choice = new ReplicaChoice(10, new DeadBand(0.1, 0.1), TWENTY);
    var forecast = Forecasts.exactly(95);
    var chosen = choice.withBudget(forecast, 0, 20, 100);
    assertThat(choice.keeping(chosen, 185, 20, forecast).desiredReplicas()).isEqualTo(20);
    assertThat(choice.keeping(chosen, 165, 20, forecast).desiredReplicas()).isEqualTo(17);
  }

  /** Demand of 45 rises to 75 for a minute, every 25 minutes: three replicas are kept meanwhile. */
  @Test
  void holdsReplicasThroughADipThatHasAlwaysBeenOverSoon() {
    assertThat(afterTwoDays(TWENTY, 25).desiredReplicas()).isEqualTo(8);
    assertThat(afterTwoDays(TWENTY, 25).reason()).isEqualTo(Reason.KEPT);
    assertThat(afterTwoDays(StartCost.NONE, 25).desiredReplicas()).isEqualTo(5);
    assertThat(afterTwoDays(TWENTY, 600).desiredReplicas()).isEqualTo(5);
  }

  private static ScalingDecision afterTwoDays(StartCost startCost, int period) {
    var risk = new Risk.Budget(0.005, 2, startCost);
    var choice =
        new ServedValueChoice(
            new ReplicaChoice(10, NONE, startCost),
            risk,
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            1,
            Optional.empty(),
            (from, to) ->
                OptionalDouble.of(
                    Math.floorDiv(to.getEpochSecond() / 60 - 1, period) * period
                            >= from.getEpochSecond() / 60
                        ? 75
                        : 45));
    var decision = ScalingDecision.nothingKnown();
    for (int minute = 0; minute <= 2880 + 10; minute++) {
      var origin = Instant.EPOCH.plus(Duration.ofMinutes(minute));
      var forecast = Optional.of(Forecasts.at(origin, 43, 44, 45, 46, 47, 48, 49, 50));
      choice.stepPassed(45, 8, 100, origin.minusSeconds(60));
      decision = choice.decide(outlook(forecast, true, OptionalDouble.of(45)), 8);
    }
    return decision;
  }
}
