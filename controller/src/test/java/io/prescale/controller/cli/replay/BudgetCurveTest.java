package io.prescale.controller.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetCurveTest {
  private static final BudgetCurve CURVE = BudgetCurve.around(new Risk.Budget(0.005));
  private static final PolicyOutcome CHOSEN = outcome(0.0076, 1.28);

  /** Limit 1, 4, 8, 16 and 32. */
  private static List<PolicyOutcome> others(double four, double eight) {
    return List.of(
        outcome(0.01, 1.2),
        outcome(four, 1.5),
        outcome(eight, 1.9),
        outcome(eight, 2.4),
        outcome(eight, 2.9));
  }

  @Test
  void everyLimitHasTheSameStartCost() {
    var startCost = new StartCost(20);

    assertThat(BudgetCurve.around(new Risk.Budget(0.005, 2, startCost)).others())
        .hasSize(5)
        .allMatch(it -> it.startCost().equals(startCost))
        .first()
        .isEqualTo(new Risk.Budget(0.005, 1, startCost));
  }

  @Test
  void namesTheLowestLimitThatKeepsToTheBudget() {
    assertThat(CURVE.sentence(CHOSEN, others(0.006, 0.005)))
        .isEqualTo(
            "The lowest cost limit that keeps to the budget of 0.5 % is 8: 0.5 % of the time, at"
                + " 1.90 times the clairvoyant's replica-hours instead of 1.28 with cost limit 2.");
  }

  @Test
  void saysThatNoneDoes() {
    assertThat(CURVE.sentence(CHOSEN, others(0.006, 0.0055)))
        .isEqualTo(
            "No cost limit up to 32 keeps to the budget of 0.5 %: that one leaves 0.55 %, at 2.90"
                + " times the clairvoyant's replica-hours instead of 1.28 with cost limit 2.");
  }

  @Test
  void comparesTheChosenLimitWithNothing() {
    assertThat(CURVE.sentence(outcome(0.004, 1.3), others(0.003, 0.002)))
        .isEqualTo(
            "The lowest cost limit that keeps to the budget of 0.5 % is 2: 0.4 % of the time, at"
                + " 1.30 times the clairvoyant's replica-hours.");
  }

  @Test
  void aLimitOfTheUsersOwnIsOneOfTheCurve() {
    var own = BudgetCurve.around(new Risk.Budget(0.005, 3));

    assertThat(own.labels())
        .containsExactly(
            "cost limit 1",
            "cost limit 2",
            "cost limit 4",
            "cost limit 8",
            "cost limit 16",
            "cost limit 32");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --shortage-cost 9 --cost-limit 4   | --cost-limit and --budget-curve are about a budget; leave --shortage-cost out.
          --shortage-cost 9 --budget-curve   | --cost-limit and --budget-curve are about a budget; leave --shortage-cost out.
          --cost-limit 101                   | --cost-limit: cost limit must be from 1 to 100: 101.0
          --cost-limit 0                     | --cost-limit: cost limit must be from 1 to 100: 0.0
          --cost-limit 2.5                   | Invalid value for option '--cost-limit'
          --start-cost 61                    | --start-cost: start cost must be from 0 to 60 replica-minutes: 61.0
          --start-cost -1                    | --start-cost: start cost must be from 0 to 60 replica-minutes: -1.0
          --start-cost NaN                   | --start-cost: start cost must be from 0 to 60 replica-minutes: NaN
          --start-cost 5m                    | Invalid value for option '--start-cost'
          --shortage-cost 9 --start-cost 61  | --start-cost: start cost must be from 0 to 60 replica-minutes: 61.0
          --budget-curve --policies reactive | The options of the accepted risk are Prescale's; add prescale to --policies, or remove them.
          """)
  void optionsThatContradictEachOtherAreRefused(String options, String message) {
    var program = new TestingSurroundings();

    assertThat(program.run(("replay --trace t.csv --capacity 10 " + options).split(" ")))
        .isEqualTo(2);

    assertThat(program.err()).startsWith(message);
  }

  private static PolicyOutcome outcome(double overloadedShare, double costVsClairvoyant) {
    return new PolicyOutcome(
        "policy",
        overloadedShare,
        0,
        0,
        2000,
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
