package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** How many replicas there may be in some steps. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanBounds(
    @Required @JsonPropertyDescription("For how many steps, after those of the entries before.")
        int steps,
    @Required @JsonPropertyDescription("The fewest replicas.") int fewest,
    @Required @JsonPropertyDescription("The most replicas.") int most) {}
