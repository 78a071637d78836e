package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The coverage of forecast quantiles; ideally equal to their levels. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record CoverageStatus(
    @JsonPropertyDescription(
            "Share of windows in which demand stayed at or below the 90 % quantile; ideally 0.9.")
        @Nullable Double p90,
    @JsonPropertyDescription(
            "Share of windows in which demand stayed at or below the 95 % quantile; ideally 0.95.")
        @Nullable Double p95,
    @JsonPropertyDescription("Number of settled forecasts.") @Nullable Long samples) {}
