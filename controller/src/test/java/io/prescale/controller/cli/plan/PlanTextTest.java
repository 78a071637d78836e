package io.prescale.controller.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanBand;
import io.prescale.controller.api.v1alpha1.PlanCalibration;
import io.prescale.controller.api.v1alpha1.PlanPeak;
import io.prescale.controller.api.v1alpha1.PlanShape;
import io.prescale.controller.api.v1alpha1.PlanStatement;
import io.prescale.controller.api.v1alpha1.PlanWorkload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTextTest {
  private static final Instant MADE = Instant.parse("2026-11-24T06:10:00Z");
  private static final Instant NINE = Instant.parse("2026-11-24T09:00:00Z");

  private static CapacityPlanStatus plan(
      List<PlanStatement> statements, List<PlanWorkload> workloads, PlanCalibration calibration) {
    var peaks =
        List.of(
            new PlanPeak(50, 5, "5", NINE),
            new PlanPeak(90, 6, "6", NINE),
            new PlanPeak(95, 7, "7", NINE));
    return new CapacityPlanStatus(
        MADE,
        MADE,
        900L,
        90,
        "",
        statements,
        List.of(new PlanShape("1 GPU", List.of("models/llm-a"), 2, peaks)),
        workloads,
        null,
        List.of(),
        calibration);
  }

  @Test
  void saysWhatIsShortAndWhoIsNotInThePlan() {
    var statement =
        new PlanStatement(
            NINE, NINE, NINE, List.of(), "1 GPU", 6, 3, 84, 0, List.of(), null, "The morning.");
    var unknown =
        new PlanWorkload(
            "a/b", null, null, null, null, List.of(), List.of(), List.of(), "No forecast yet.");
    var bands = List.of(new PlanBand(10, 1000, 2));

    var lines =
        PlanText.lines(
            plan(List.of(statement), List.of(unknown), new PlanCalibration(10, 900, bands)), MADE);

    assertThat(lines)
        .containsExactly(
            "Plan of Tue 06:10 UTC for the next day, P90 in each step: 1 shortage.",
            "",
            "                     runs  cards  cards  cards",
            "shape and services    now    P50    P90    P95   at (UTC)",
            "1 GPU: models/llm-a     2      5      6      7  Tue 09:00",
            "",
            "The morning.",
            "a/b is not in the plan: No forecast yet.",
            "Of 10 earlier statements 2 came true; 1 were expected (Brier score 0.090).");
  }

  @Test
  void aPlanOfServicesWithoutAForecastDoesNotSayThatAllFits() {
    var unknown =
        new PlanWorkload(
            "a/b", null, null, null, null, List.of(), List.of(), List.of(), "No forecast yet.");

    var lines =
        PlanText.lines(
            plan(List.of(), List.of(unknown), new PlanCalibration(0, 0, List.of())), MADE);

    assertThat(lines.getFirst()).endsWith("P90 in each step: no service has a forecast yet.");
  }

  @Test
  void saysThatAPlanIsOldAndThatNothingWasScored() {
    var lines =
        PlanText.lines(
            plan(List.of(), List.of(), new PlanCalibration(0, 0, List.of())),
            MADE.plus(Duration.ofMinutes(90)));

    assertThat(lines)
        .contains(
            "Plan of Tue 06:10 UTC for the next day, P90 in each step: no service asks for cards.")
        .contains("It is 90 min old: does a controller lead?")
        .endsWith("No earlier statement has been scored yet.");
  }
}
