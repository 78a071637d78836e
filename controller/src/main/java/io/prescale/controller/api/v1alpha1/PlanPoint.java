package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.Objects;

/** A value to serve from a later time on. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanPoint(
    @Required @JsonPropertyDescription("Time from which the value is served.") Instant at,
    @Required @Size(max = 32) @JsonPropertyDescription("Value, as a Kubernetes quantity.")
        String value) {
  public PlanPoint {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(value, "value");
  }
}
