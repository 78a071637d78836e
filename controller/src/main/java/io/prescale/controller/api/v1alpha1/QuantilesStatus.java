package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** Quantiles of a forecast, as Kubernetes quantities. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record QuantilesStatus(
    @Size(max = 32) @JsonPropertyDescription("Exceeded with a probability of 50 %.")
        @Nullable String p50,
    @Size(max = 32) @JsonPropertyDescription("Exceeded with a probability of 10 %.")
        @Nullable String p90,
    @Size(max = 32) @JsonPropertyDescription("Exceeded with a probability of 5 %.")
        @Nullable String p95,
    @Size(max = 32) @JsonPropertyDescription("Exceeded with a probability of 1 %.")
        @Nullable String p99) {}
