package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Objects;

/** What is needed of one shape, by all services whose replicas ask for the same. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanShape(
    @Required @JsonPropertyDescription("What each replica asks for.") String shape,
    @Size(max = 20)
        @JsonPropertyDescription("PredictiveHPAs, by namespace and name; the largest first.")
        List<String> workloads,
    @Required @JsonPropertyDescription("Replicas that have their cards now.") int running,
    @Size(max = 4) @JsonPropertyDescription("The highest need by probability.")
        List<PlanPeak> peaks) {
  public PlanShape {
    workloads = List.copyOf(Objects.requireNonNullElse(workloads, List.of()));
    peaks = List.copyOf(Objects.requireNonNullElse(peaks, List.of()));
  }
}
