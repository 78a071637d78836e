package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;

/** A series that a forecast follows. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LeadingStatus(
    @Required @Size(max = 63) @JsonPropertyDescription("Name of the series.") String name,
    @Min(0) @JsonPropertyDescription("How much later demand follows it, as learned, in seconds.")
        long lagSeconds) {

  public LeadingStatus {
    Objects.requireNonNull(name, "a leading series has no name");
  }
}
