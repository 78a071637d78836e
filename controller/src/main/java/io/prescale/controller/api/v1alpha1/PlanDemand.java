package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Objects;

/** The demand of a workload at one quantile. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanDemand(
    @Required @JsonPropertyDescription("The quantile, in percent.") int percent,
    @Size(max = 288)
        @JsonPropertyDescription(
            "Replicas that the demand amounts to in each step, in thousandths.")
        List<Long> milli) {
  public PlanDemand {
    milli = List.copyOf(Objects.requireNonNullElse(milli, List.of()));
  }
}
