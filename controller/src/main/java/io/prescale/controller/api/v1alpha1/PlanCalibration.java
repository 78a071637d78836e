package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

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
  private static final double MILLI = 1000;

  public PlanCalibration {
    bands = List.copyOf(Objects.requireNonNullElse(bands, List.of()));
  }

  /** All of it in a sentence; empty before any was scored. */
  public Optional<String> sentence() {
    if (said == 0) {
      return Optional.empty();
    }
    double expected = bands.stream().mapToLong(PlanBand::expectedMilli).sum() / MILLI;
    long came = bands.stream().mapToLong(PlanBand::came).sum();
    return Optional.of(
        "Of %,d earlier statements %,d came true; %,.0f were expected (Brier score %.3f)."
            .formatted(said, came, expected, squaresMilli / MILLI / said));
  }
}
