package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Objects;

/** How often what was said came true. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanCalibration(
    @Required @JsonPropertyDescription("How many statements were scored.") long said,
    @Required
        @JsonPropertyDescription(
            "Sum of the squared differences between probability and outcome, in " + "thousandths.")
        long squaresMilli,
    @Size(max = 10)
        @JsonPropertyDescription("Statements by their probability, in tenths from 0 on.")
        List<PlanBand> bands) {
  public PlanCalibration {
    bands = List.copyOf(Objects.requireNonNullElse(bands, List.of()));
  }
}
