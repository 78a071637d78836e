package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One metric that is forecast. Values are Kubernetes quantities in the unit of the metric. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MetricStatus(
    @Required @Size(max = 63) @JsonPropertyDescription("Name of the metric.") String name,
    @Size(max = 32) @JsonPropertyDescription("Target: demand that one replica carries.")
        @Nullable String averageValue,
    @Size(max = 32) @JsonPropertyDescription("Demand at the newest observation.")
        @Nullable String observed,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Demand one lead time ahead that is exceeded with a probability of 5 %.")
        @Nullable String predicted,
    @Size(max = 32) @JsonPropertyDescription("Value that is served to the HPA.")
        @Nullable String served,
    @JsonPropertyDescription("When that value was computed.") @Nullable Instant servedAt,
    @JsonPropertyDescription("So long after servedAt the value counts as fresh.")
        @Nullable Long freshSeconds,
    @JsonPropertyDescription(
            "So long after servedAt it is served as the last known one; then an error.")
        @Nullable Long ttlSeconds,
    @Size(max = 32)
        @JsonPropertyDescription("Value below which nothing is served while the demand is unknown.")
        @Nullable String floor,
    @JsonPropertyDescription("Forecast of the highest demand one lead time ahead.")
        @Nullable QuantilesStatus quantiles,
    @Size(max = 30)
        @JsonPropertyDescription(
            "Values that are due later, ascending in time; used while the demand is unknown.")
        List<PlanPoint> plan,
    @JsonPropertyDescription(
            "Share by which forecasts were better than the better of two simple ones; not above 0:"
                + " not better.")
        @Nullable Double skill,
    @JsonPropertyDescription("How often the demand stayed below the forecast quantiles.")
        @Nullable CoverageStatus coverage,
    @JsonPropertyDescription("Whether the forecast is trusted.") @Nullable BreakerStatus breaker,
    @JsonPropertyDescription("When the models were last fitted.") @Nullable Instant modelFittedAt,
    @JsonPropertyDescription("What the central forecast consists of.")
        @Nullable ForecastPartsStatus parts,
    @Size(max = 512)
        @JsonPropertyDescription("Why the newest reading failed; absent when it did not.")
        @Nullable String lastError) {
  public MetricStatus {
    Objects.requireNonNull(name, "name");
    plan = plan == null ? List.of() : List.copyOf(plan);
  }
}
