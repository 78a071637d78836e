package io.prescale.controller.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConclusionTest {
  private static final Risk HALF_A_PERCENT = new Risk.Budget(0.005);
  private static final PolicyOutcome CLAIRVOYANT = outcome(0, 2000, 1);

  @Test
  void comparesWithTheReactiveHpa() {
    assertThat(sentence(outcome(0.0041, 2500, 1.25), outcome(0.0512, 2400, 1.2), HALF_A_PERCENT))
        .isEqualTo(
            "Prescale would have been short of capacity for 0.41 % of the time instead of 5.12 %"
                + " (within the budget of 0.5 %), with 4 % more replica-hours than the reactive HPA"
                + " (2,500 instead of 2,400). It would have scaled 20 times a day and reversed 10"
                + " times, the reactive HPA 20 and 10.");
  }

  @Test
  void doesNotHideABudgetThatWasExceeded() {
    assertThat(sentence(outcome(0.0061, 2160, 1.08), outcome(0.0512, 2400, 1.2), HALF_A_PERCENT))
        .isEqualTo(
            "Prescale would have been short of capacity for 0.61 % of the time instead of 5.12 %"
                + " (above the budget of 0.5 %), with 10 % fewer replica-hours than the reactive"
                + " HPA (2,160 instead of 2,400). It would have scaled 20 times a day and reversed"
                + " 10 times, the reactive HPA 20 and 10. prescale replay --budget-curve says which"
                + " cost limit would keep to the budget, and what that would cost.");
  }

  @Test
  void endsWithTheCurveIfThatWasReplayed() {
    var conclusion =
        new Conclusion(
            outcome(0.0061, 2160, 1.08),
            CLAIRVOYANT,
            Optional.empty(),
            HALF_A_PERCENT,
            Optional.of("The lowest cost limit is 8."));

    assertThat(conclusion.sentence()).endsWith("reversed 10 times. The lowest cost limit is 8.");
  }

  @Test
  void saysWhatAStartWasWorth() {
    var risk = new Risk.Budget(0.005, 2, new StartCost(20));

    assertThat(sentence(outcome(0.0041, 2500, 1.25), outcome(0.0512, 2400, 1.2), risk))
        .endsWith(
            "the reactive HPA 20 and 10. A start was worth 20 replica-minutes. Of its starts, 4 a"
                + " day were for five minutes of use or less, of the reactive HPA's 4.");
  }

  @Test
  void comparesWithTheClairvoyantWithoutAReactivePolicy() {
    var conclusion =
        new Conclusion(
            outcome(0.3, 2500, 1.25),
            CLAIRVOYANT,
            Optional.empty(),
            new Risk.ShortageCost(20),
            Optional.empty());

    assertThat(conclusion.sentence())
        .isEqualTo(
            "Prescale would have been short of capacity for 30 % of the time, with 1.25 times the"
                + " replica-hours of the clairvoyant policy (2,000). It would have scaled 20 times"
                + " a day and reversed 10 times.");
  }

  @Test
  void saysWhereNoneWereNeeded() {
    assertThat(
            sentence(
                outcome(0, 3, Double.POSITIVE_INFINITY), outcome(0, 0, Double.NaN), HALF_A_PERCENT))
        .contains("with 3 replica-hours, where the reactive HPA had none.");
  }

  @Test
  void reportsTheShareWithoutData() {
    var gappy =
        new PolicyOutcome(
            "policy",
            0.0117,
            0.0104,
            0,
            2500,
            1.25,
            0,
            0,
            0,
            Optional.empty(),
            0,
            0,
            Optional.empty());

    assertThat(sentence(gappy, outcome(0.0008, 2400, 1.2), HALF_A_PERCENT))
        .contains(
            "(2,500 instead of 2,400). Of this, 1.04 % of the time lies in gaps of the data, where"
                + " demand is interpolated.");
  }

  @Test
  void saysForHowLongForecastsWereNotTrusted() {
    var doubted =
        new PolicyOutcome(
            "policy", 0, 0, 0, 2500, 1.25, 0, 0, 0, Optional.empty(), 0, 0.0312, Optional.empty());

    assertThat(sentence(doubted, outcome(0.0008, 2400, 1.2), HALF_A_PERCENT))
        .contains(
            "(2,500 instead of 2,400). For 3.12 % of the time forecasts were not trusted, and the"
                + " newest value or the day before was followed.");
  }

  private static String sentence(PolicyOutcome prescale, PolicyOutcome reactive, Risk risk) {
    return new Conclusion(prescale, CLAIRVOYANT, Optional.of(reactive), risk, Optional.empty())
        .sentence();
  }

  private static PolicyOutcome outcome(
      double overloadedShare, double replicaHours, double costVsClairvoyant) {
    return new PolicyOutcome(
        "policy",
        overloadedShare,
        0,
        0,
        replicaHours,
        costVsClairvoyant,
        20,
        10,
        4,
        Optional.empty(),
        0,
        0,
        Optional.empty());
  }
}
