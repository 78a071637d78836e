package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Instant;

/** A number of replicas that is needed for a while, with a probability. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "timestamp(self.from) < timestamp(self.until)",
    fieldPath = ".until",
    message = "until is not after from; write a later time")
public record BookingNeed(
    @Required
        @JsonPropertyDescription(
            "When the replicas are created at the earliest: not when they serve.")
        Instant from,
    @Required @JsonPropertyDescription("When they are no longer needed.") Instant until,
    @Required
        @Min(1)
        @Max(10000)
        @JsonPropertyDescription("How many in all, running ones included.")
        int replicas,
    @Required
        @Min(1)
        @Max(100)
        @JsonPropertyDescription("Probability, in percent, that as many are needed.")
        int percent) {}
