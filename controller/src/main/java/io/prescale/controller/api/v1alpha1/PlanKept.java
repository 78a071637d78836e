package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** A statement that is scored once its time has passed. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanKept(
    @Required @JsonPropertyDescription("Beginning of its step.") Instant at,
    @Size(max = 20) @JsonPropertyDescription("Whose replicas it is about.") List<String> workloads,
    @Required @JsonPropertyDescription("The statement: more replicas than this are needed.")
        int replicas,
    @Required @JsonPropertyDescription("Its probability, in thousandths.") int permille) {
  public PlanKept {
    workloads = List.copyOf(Objects.requireNonNullElse(workloads, List.of()));
  }
}
