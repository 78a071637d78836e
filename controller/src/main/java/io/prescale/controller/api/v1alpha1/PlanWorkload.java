package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A workload of the plan. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanWorkload(
    @Required @JsonPropertyDescription("Namespace and name of the PredictiveHPA.") String name,
    @JsonPropertyDescription("Group and version of its target.") @Nullable String apiVersion,
    @JsonPropertyDescription("Kind of its target.") @Nullable String kind,
    @JsonPropertyDescription("Name of its target.") @Nullable String target,
    @JsonPropertyDescription(
            "How long before a demand its replicas are created: lead time, and the window whose"
                + " highest demand is served.")
        @Nullable Long leadSeconds,
    @Size(max = 8) @JsonPropertyDescription("Its demand by quantile.") List<PlanDemand> demand,
    @Size(max = 96) @JsonPropertyDescription("How many replicas it may have.")
        List<PlanBounds> bounds,
    @Size(max = 192)
        @JsonPropertyDescription(
            "The rank of its forecast error in each of the past windows from which is known "
                + "which workloads err together.")
        List<Integer> ranks,
    @JsonPropertyDescription("Why nothing is planned for it.") @Nullable String problem) {
  public PlanWorkload {
    demand = List.copyOf(Objects.requireNonNullElse(demand, List.of()));
    bounds = List.copyOf(Objects.requireNonNullElse(bounds, List.of()));
    ranks = List.copyOf(Objects.requireNonNullElse(ranks, List.of()));
  }
}
