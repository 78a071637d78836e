package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;

/** Room for replicas without pods that are created at one time. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BookingRoom(
    @Required @JsonPropertyDescription("When they are created at the earliest.") Instant from,
    @Required @Min(0) @JsonPropertyDescription("Replicas that are to find free cards then.")
        int replicas,
    @Required
        @Min(0)
        @JsonPropertyDescription("Of these, those for which there are none: nodes are missing.")
        int missing) {}
