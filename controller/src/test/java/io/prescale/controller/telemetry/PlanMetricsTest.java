package io.prescale.controller.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanBand;
import io.prescale.controller.api.v1alpha1.PlanCalibration;
import io.prescale.controller.api.v1alpha1.PlanNodes;
import io.prescale.controller.api.v1alpha1.PlanStatement;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanMetricsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T06:00:00Z");

  private final Telemetry telemetry = new Telemetry(InstantSource.fixed(NOW));

  /** With a shortage, and a statement that was scored. */
  static CapacityPlanStatus plan() {
    return plan(new PlanCalibration(10, 900, List.of(new PlanBand(10, 1500, 2))));
  }

  private static CapacityPlanStatus plan(PlanCalibration calibration) {
    var nine = NOW.plusSeconds(10_800);
    var nodes = new PlanNodes(2, "h100", NOW);
    var shortage =
        new PlanStatement(nine, nine, nine, List.of(), "1 GPU", 6, 3, 84, 0, List.of(), nodes, "");
    return new CapacityPlanStatus(
        NOW,
        NOW,
        900L,
        90,
        "",
        List.of(shortage),
        List.of(),
        List.of(),
        null,
        List.of(),
        calibration);
  }

  private String written() throws IOException {
    var text = new StringWriter();
    telemetry.write(text);
    return text.toString();
  }

  @Test
  void thePlanAndHowItHasFaredAreExported() throws IOException {
    telemetry.planned(Optional.of(NOW), Optional.of(plan()));

    assertThat(written().lines())
        .contains(
            "prescale_plan_made_seconds 1.7955E9",
            "prescale_plan_shortages 1.0",
            "prescale_plan_shortage_seconds 10800.0",
            "prescale_plan_missing_nodes 2.0",
            "prescale_plan_unforecast 0.0",
            "prescale_plan_statements{outcome=\"true\",} 2.0",
            "prescale_plan_statements{outcome=\"false\",} 8.0",
            "prescale_plan_statements{outcome=\"expected\",} 1.5",
            "prescale_plan_brier_score 0.09");
  }

  @Test
  void nothingIsExportedWithoutAPlanNorScoresBeforeTheFirst() throws IOException {
    assertThat(written()).doesNotContain("prescale_plan_");
    telemetry.planned(Optional.of(NOW), Optional.of(plan(new PlanCalibration(0, 0, List.of()))));
    assertThat(written()).contains("prescale_plan_made_seconds").doesNotContain("brier");
    telemetry.planned(Optional.empty(), Optional.empty());
    assertThat(written()).doesNotContain("prescale_plan_");
  }

  /** Otherwise no alert could fire where plans fail from the start. */
  @Test
  void howLongAPlanIsMissingIsExportedAndNothingElseOfIt() throws IOException {
    telemetry.planned(Optional.of(NOW), Optional.empty());

    assertThat(written().lines().filter(it -> it.startsWith("prescale_plan_")))
        .containsExactly("prescale_plan_made_seconds 1.7955E9");
  }
}
