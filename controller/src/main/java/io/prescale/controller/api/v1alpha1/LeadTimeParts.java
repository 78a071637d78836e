package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The consecutive parts of the lead time, in seconds. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LeadTimeParts(
    @JsonPropertyDescription("Seconds from the decision to the creation of the pod.")
        @Nullable Double decision,
    @JsonPropertyDescription("Seconds until the pod was scheduled.") @Nullable Double schedule,
    @JsonPropertyDescription("Seconds until its images were pulled.") @Nullable Double pull,
    @JsonPropertyDescription("Seconds from then until the pod was ready.") @Nullable Double ready,
    @JsonPropertyDescription("Seconds that the HPA needs to sync and to ramp up.")
        @Nullable Double hpa,
    @JsonPropertyDescription("Age of the newest observation in seconds.")
        @Nullable Double scrape) {}
