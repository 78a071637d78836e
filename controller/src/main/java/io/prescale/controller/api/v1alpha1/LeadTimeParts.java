package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** Seconds from a decision to a ready replica, one after the other. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LeadTimeParts(
    @JsonPropertyDescription("Seconds from the decision to the new pod.") @Nullable Double decision,
    @JsonPropertyDescription("Seconds until the pod was on a node.") @Nullable Double schedule,
    @JsonPropertyDescription("Seconds until its images were there.") @Nullable Double pull,
    @JsonPropertyDescription("Seconds until it was ready after that.") @Nullable Double ready,
    @JsonPropertyDescription("Seconds that the HPA takes to ask and to ramp up.")
        @Nullable Double hpa,
    @JsonPropertyDescription("Seconds until a change of demand is seen in Prometheus.")
        @Nullable Double scrape) {}
