package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** How often the demand stayed below forecast quantiles; the nearer to the level, the truer. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record CoverageStatus(
    @JsonPropertyDescription("Share of the time below the 90 % quantile; ideally 0.9.")
        @Nullable Double p90,
    @JsonPropertyDescription("Share of the time below the 95 % quantile; ideally 0.95.")
        @Nullable Double p95,
    @JsonPropertyDescription("Forecasts that were compared.") @Nullable Long samples) {}
