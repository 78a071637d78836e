package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** How the HPA acted on a decision. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record HpaOutcome(
    @JsonPropertyDescription("Replicas that the HPA wants.") @Nullable Integer wanted,
    @Size(max = 64)
        @JsonPropertyDescription(
            "Rule that limited the HPA: Tolerance, Stabilization, Policy, MinReplicas, MaxReplicas,"
                + " FailingMetric, or None.")
        @Nullable String gate,
    @Size(max = 512) @JsonPropertyDescription("The same as a sentence.")
        @Nullable String message) {}
