package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class HigherPricesTest {
  private static final int DAY = 1440;
  private static final ReplicaChoice CHOICE = new ReplicaChoice(10, new DeadBand(0, 0));

  /** Demand of 100, and one time in ten of up to 400. */
  private static final double[] BURSTS = {98, 99, 100, 101, 110, 160, 300, 400};

  @Test
  void aBudgetThatItsCostLimitKeepsIsNotMissed() {
    var feedback = feedback(2);
    pass(feedback, 2 * DAY, 200);

    assertThat(feedback.shortShare()).isCloseTo(0.005, within(0.0005));
    assertThat(feedback.missed()).isEmpty();
  }

  @Test
  void whatKeepingAMissedBudgetCostsIsKnownAfterADay() {
    var feedback = feedback(2);
    pass(feedback, DAY - 2 * HigherPrices.EVERY, 20);
    assertThat(feedback.shortShare()).isGreaterThan(0.01);
    assertThat(feedback.missed()).isEmpty();

    pass(feedback, 3 * DAY, 20);
    var missed = feedback.missed().orElseThrow();
    var forecast = Forecasts.of(BURSTS);
    var now = CHOICE.withBudget(forecast, 0, 1, feedback.price());
    assertThat(missed.budget()).isEqualTo(0.005);
    assertThat(missed.shortShare()).isCloseTo(0.0335, within(0.001));
    double times = missed.timesReplicas().orElseThrow();
    double needed = forecast.exceedance(10 * Math.rint(times * now.desiredReplicas()));
    assertThat(times).as("more replicas, less than twice the peak").isBetween(1.2, 4.0);
    assertThat(needed)
        .as("what they would leave of the risk of now")
        .isLessThan(1.1 * now.shortageProbability().orElseThrow() * 0.005 / missed.shortShare());
    assertThat(missed.sentence())
        .startsWith(
            "3.3 % of the last days was short of capacity, where the budget allows 0.5 %; a")
        .endsWith("about %.1f times the replicas would keep it.".formatted(times));
  }

  @Test
  void aShortageThatNoPriceBuysOffSaysSo() {
    var feedback = feedback(2);
    for (int minute = 0; minute < 2 * DAY; minute++) {
      feedback.decided(CHOICE, Forecasts.exactly(100), 0);
      feedback.stepPassed(10, true);
    }
    assertThat(feedback.missed().orElseThrow().timesReplicas())
        .as("forecasts see no risk")
        .isEmpty();
    assertThat(feedback.missed().orElseThrow().sentence())
        .endsWith("; no costLimit would keep it.");
  }

  @Test
  void noPriceAboveThatOfTheHighestCostLimitIsTried() {
    var feedback = feedback(Risk.Budget.HIGHEST_COST_LIMIT);
    pass(feedback, 3 * DAY, 20);

    assertThat(feedback.missed().orElseThrow().timesReplicas()).isEmpty();
  }

  @Test
  void sharesOfTimeAreFromZeroToOne() {
    assertThatThrownBy(() -> new MissedBudget(0, 0.1, OptionalDouble.empty()))
        .hasMessageContaining("budget: 0.0");
    assertThatThrownBy(() -> new MissedBudget(0.1, Double.NaN, OptionalDouble.empty()))
        .hasMessageContaining("NaN");
    assertThatThrownBy(() -> new MissedBudget(0.1, 0.2, OptionalDouble.of(0.5)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static ShortfallFeedback feedback(double costLimit) {
    return new ShortfallFeedback(new Risk.Budget(0.005, costLimit), Duration.ofMinutes(1));
  }

  /** Minutes of which one in so many is short. */
  private static void pass(ShortfallFeedback feedback, int minutes, int shortOneIn) {
    for (int minute = 1; minute <= minutes; minute++) {
      feedback.decided(CHOICE, Forecasts.of(BURSTS), 0);
      feedback.stepPassed(10, minute % shortOneIn == 0);
    }
  }
}
