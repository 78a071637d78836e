package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * What a central forecast consists of; the parts but for the calibration add up to it. Kubernetes
 * quantities.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ForecastPartsStatus(
    @Size(max = 32) @JsonPropertyDescription("The level without season and trend.")
        @Nullable String level,
    @Size(max = 32) @JsonPropertyDescription("What the daily and weekly seasons add.")
        @Nullable String season,
    @Size(max = 32) @JsonPropertyDescription("What the trend adds.") @Nullable String trend,
    @Size(max = 32) @JsonPropertyDescription("What declared events change.") @Nullable String event,
    @Size(max = 32) @JsonPropertyDescription("What the deviation of the last minutes adds.")
        @Nullable String correction,
    @Size(max = 32) @JsonPropertyDescription("What observed errors add to the 95 % quantile.")
        @Nullable String calibration) {}
