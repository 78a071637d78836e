package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** Statements of similar probability. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanBand(
    @Required @JsonPropertyDescription("How many statements.") long said,
    @Required @JsonPropertyDescription("The sum of their probabilities, in thousandths.")
        long expectedMilli,
    @Required @JsonPropertyDescription("How many came true.") long came) {}
