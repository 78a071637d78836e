package io.prescale.controller.simulation.report;

import static io.prescale.controller.simulation.report.Results.about;
import static io.prescale.controller.simulation.report.Results.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeadlineTest {

  private static final PolicyOutcome CLAIRVOYANT = outcome("clairvoyant", 0, 100);
  private static final PolicyOutcome REACTIVE = outcome("reactive HPA at 80 %", 0.051, 122);

  @Test
  void showsBothFiguresOfTheSubjectAndTheReactiveHpa() {
    var headline = headline(outcome("Prescale", 0.0031, 127), REACTIVE);

    assertThat(headline.result())
        .isEqualTo(
            "Prescale: 0.31 % of the time overloaded, at 1.27 × the clairvoyant’s replica-hours;"
                + " reactive HPA at 80 %: 5.1 % at 1.22 ×.");
    assertThat(headline.verdicts())
        .containsExactly(
            "Against the reactive HPA at 80 %: 94 % less overload for 4 % more replica-hours.",
            "No other policy had less overload at a lower cost.");
  }

  @Test
  void saysSoWhenTheSubjectLosesOnBothCounts() {
    var headline = headline(outcome("Prescale", 0.15, 180), REACTIVE);

    assertThat(headline.verdicts())
        .containsExactly(
            "Worse than the reactive HPA at 80 %: 2.9 × the overload for 48 % more replica-hours.",
            "These policies had less overload at a lower cost: reactive HPA at 80 % (5.1 % at 1.22"
                + " ×).");
  }

  @Test
  void namesEveryPolicyThatDidBetter() {
    var headline =
        headline(
            outcome("Prescale", 0.004, 140),
            REACTIVE,
            outcome("Crane", 0.003, 140),
            outcome("last week", 0.002, 130),
            outcome("dear", 0.001, 200));

    assertThat(headline.verdicts().getLast())
        .isEqualTo(
            "These policies had less overload at a lower cost: Crane (0.30 % at 1.40 ×), last week"
                + " (0.20 % at 1.30 ×).");
  }

  @Test
  void almostAllIsNotAll() {
    var headline = headline(outcome("Prescale", 0.00001, 122.1), REACTIVE);

    assertThat(headline.verdicts().getFirst())
        .isEqualTo(
            "Against the reactive HPA at 80 %: 99 % less overload for the same replica-hours.");
  }

  @Test
  void noOverloadIsAllLess() {
    var headline = headline(outcome("Prescale", 0, 61), REACTIVE);

    assertThat(headline.result()).startsWith("Prescale: 0 % of the time overloaded, at 0.61 ×");
    assertThat(headline.verdicts().getFirst())
        .isEqualTo(
            "Against the reactive HPA at 80 %: 100 % less overload for 50 % fewer replica-hours.");
  }

  @Test
  void noRatioToZero() {
    var calm = outcome("reactive HPA at 80 %", 0, 122);

    assertThat(headline(outcome("Prescale", 0.01, 61), calm).verdicts().getFirst())
        .contains("overload where the other had none, for 50 % fewer replica-hours");
    assertThat(headline(outcome("Prescale", 0, 122), calm).verdicts().getFirst())
        .contains("equally without overload, for the same replica-hours");
  }

  @Test
  void anotherReactiveHpaDoesWhenTheUsualIsNotThere() {
    var headline =
        headline(outcome("Prescale", 0.01, 120), outcome("reactive HPA at 60 %", 0.03, 160));

    assertThat(headline.result()).endsWith("; reactive HPA at 60 %: 3.0 % at 1.60 ×.");
  }

  @Test
  void aloneItIsComparedWithNothing() {
    var headline = headline(outcome("Prescale", 0.01, 120));

    assertThat(headline.result())
        .isEqualTo(
            "Prescale: 1.0 % of the time overloaded, at 1.20 × the clairvoyant’s replica-hours.");
    assertThat(headline.verdicts()).isEmpty();
  }

  @Test
  void showsWhetherTheBudgetWasMet() {
    assertThat(withBudget(0.005).verdicts()).containsExactly("The budget of 0.5 % was met.");
    assertThat(withBudget(0.003).verdicts())
        .containsExactly(
            "The budget of 0.3 % was exceeded.",
            "prescale replay --budget-curve says which cost limit would keep to the budget, and"
                + " what that would cost.");
  }

  @Test
  void saysWhatKeepingToTheBudgetWouldCostIfThatWasReplayed() {
    var curve = Optional.of("The lowest cost limit is 8.");

    assertThat(withBudget(0.003, curve).verdicts())
        .containsExactly("The budget of 0.3 % was exceeded.", "The lowest cost limit is 8.");
    assertThat(withBudget(0.005, curve).verdicts())
        .containsExactly("The budget of 0.5 % was met.", "The lowest cost limit is 8.");
  }

  @Test
  void saysWhatPartOfAShortageLiesInGaps() {
    var gappy =
        new PolicyOutcome(
            "Prescale",
            0.1,
            0.0988,
            0.01,
            120,
            1.2,
            20,
            10,
            4,
            Optional.empty(),
            0,
            0,
            Optional.empty());

    assertThat(gappy.overloadedObservedShare()).isCloseTo(0.0012, within(1e-9));
    assertThat(headline(gappy).sentences())
        .first()
        .isEqualTo(
            "Of this, 9.88 % of the time lies in gaps of the data, where demand is interpolated.");
  }

  @Test
  void unknownFiguresAreDashes() {
    var headline = headline(outcome("Prescale", Double.NaN, Double.NaN), REACTIVE);

    assertThat(headline.result()).startsWith("Prescale: – of the time overloaded, at – the");
    assertThat(headline.verdicts())
        .containsExactly("These figures are unknown, so that no comparison is possible.");
  }

  @Test
  void saysWhatAStartWasWorth() {
    assertThat(withBudget(0.005).churn()).endsWith(" A start was worth 20 replica-minutes.");
  }

  @Test
  void thePolicyMustBeThere() {
    assertThatThrownBy(() -> Headline.of(Results.ofThreeDays(CLAIRVOYANT), about("Prescale")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no run of Prescale");
  }

  private static Headline withBudget(double budget) {
    return withBudget(budget, Optional.empty());
  }

  private static Headline withBudget(double budget, Optional<String> curve) {
    var about = about("Prescale");
    return Headline.of(
        Results.ofThreeDays(outcome("Prescale", 0.004, 120), CLAIRVOYANT),
        new ReportSubject(
            about.trace(),
            about.source(),
            about.policy(),
            new Risk.Budget(budget, 2, new StartCost(20)),
            curve,
            about.zone(),
            about.writtenAt()));
  }

  private static Headline headline(PolicyOutcome subject, PolicyOutcome... others) {
    var outcomes = new PolicyOutcome[others.length + 2];
    outcomes[0] = subject;
    System.arraycopy(others, 0, outcomes, 1, others.length);
    outcomes[others.length + 1] = CLAIRVOYANT;
    return Headline.of(Results.ofThreeDays(outcomes), about(subject.policy()));
  }

  @Test
  void lessThanThreeDaysAllowNoVerdict() {
    var result =
        Results.of(Results.outcome("Prescale", 0.003, 124), Results.outcome("clairvoyant", 0, 100));

    assertThat(Headline.of(result, about("Prescale")).verdicts())
        .singleElement()
        .asString()
        .startsWith("No verdict: the load was observed for 1 h, and a verdict takes at least 3 d");
  }

  @Test
  void saysHowOftenBothScaled() {
    assertThat(headline(outcome("Prescale", 0.0031, 127), REACTIVE).churn())
        .isEqualTo(
            "It scaled 20.0 times a day and reversed 10.0 times; the reactive HPA at 80 % 20.0 and"
                + " 10.0.");
    assertThat(headline(outcome("Prescale", 0.0031, 127)).churn())
        .isEqualTo("It scaled 20.0 times a day and reversed 10.0 times.");
  }
}
