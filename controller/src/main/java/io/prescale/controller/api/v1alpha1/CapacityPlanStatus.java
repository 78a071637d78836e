package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is needed within a day, what fits when, and what would help. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record CapacityPlanStatus(
    @JsonPropertyDescription("Time at which the plan was made.") @Nullable Instant madeAt,
    @JsonPropertyDescription("Beginning of its first step.") @Nullable Instant from,
    @JsonPropertyDescription("Length of a step.") @Nullable Long stepSeconds,
    @JsonPropertyDescription(
            "Probability, in percent, with which the plan is to suffice in each step.")
        @Nullable Integer percent,
    @JsonPropertyDescription("The plan in a few words.") @Nullable String summary,
    @Size(max = 20) @JsonPropertyDescription("What may not fit, the most probable first.")
        List<PlanStatement> statements,
    @Size(max = 50) @JsonPropertyDescription("What is needed by shape, the most cards first.")
        List<PlanShape> shapes,
    @Size(max = 100) @JsonPropertyDescription("The workloads.") List<PlanWorkload> workloads,
    @JsonPropertyDescription("Workloads that are left out because the plan is full.")
        @Nullable Integer leftOut,
    @Size(max = 200) @JsonPropertyDescription("Statements whose time has not passed.")
        List<PlanKept> kept,
    @JsonPropertyDescription("How often earlier statements came true.")
        @Nullable PlanCalibration calibration) {
  public CapacityPlanStatus {
    statements = List.copyOf(Objects.requireNonNullElse(statements, List.of()));
    shapes = List.copyOf(Objects.requireNonNullElse(shapes, List.of()));
    workloads = List.copyOf(Objects.requireNonNullElse(workloads, List.of()));
    kept = List.copyOf(Objects.requireNonNullElse(kept, List.of()));
  }
}
