package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;

/** The highest need of a shape within the plan. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanPeak(
    @Required
        @JsonPropertyDescription("Probability, in percent, with which it suffices in its step.")
        int percent,
    @Required @JsonPropertyDescription("Replicas.") int replicas,
    @Required @JsonPropertyDescription("Cards or parts of cards that they ask for.") String cards,
    @Required @JsonPropertyDescription("Beginning of its step.") Instant at) {}
