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

/** The status of a forecast metric. Values are Kubernetes quantities in the unit of the metric. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MetricStatus(
    @Required @Size(max = 63) @JsonPropertyDescription("Name of the metric.") String name,
    @Size(max = 32) @JsonPropertyDescription("Target: demand that one replica can carry.")
        @Nullable String averageValue,
    @Size(max = 32) @JsonPropertyDescription("Newest observed demand.") @Nullable String observed,
    @Size(max = 32) @JsonPropertyDescription("95 % quantile of the demand one lead time ahead.")
        @Nullable String predicted,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Value served at servedAt. With hundreds of PredictiveHPAs, a later one may"
                + " already be served.")
        @Nullable String served,
    @JsonPropertyDescription("Time at which that value was computed.") @Nullable Instant servedAt,
    @JsonPropertyDescription("Seconds after servedAt during which the value is fresh.")
        @Nullable Long freshSeconds,
    @JsonPropertyDescription(
            "Seconds after servedAt during which the value is served as last-known-good; after"
                + " that, an error.")
        @Nullable Long ttlSeconds,
    @Size(max = 32)
        @JsonPropertyDescription("Lower bound of the served value while the demand is unknown.")
        @Nullable String floor,
    @JsonPropertyDescription("Forecast of the highest demand in the window one lead time ahead.")
        @Nullable QuantilesStatus quantiles,
    @Size(max = 30)
        @JsonPropertyDescription(
            "Planned rises, ascending in time; served while the demand is unknown.")
        List<PlanPoint> plan,
    @JsonPropertyDescription(
            "1 minus the loss of the forecasts divided by that of the better simple reference; 0 or"
                + " less: no better.")
        @Nullable Double skill,
    @JsonPropertyDescription(
            "Mean distance of the forecast median from what came, divided by the mean demand.")
        @Nullable Double error,
    @JsonPropertyDescription("Coverage of the forecast quantiles.")
        @Nullable CoverageStatus coverage,
    @JsonPropertyDescription(
            "State of the breaker, which decides whether the forecast is followed.")
        @Nullable BreakerStatus breaker,
    @JsonPropertyDescription("Time of the last fit of the models.") @Nullable Instant modelFittedAt,
    @JsonPropertyDescription("Parts of the central forecast.") @Nullable ForecastPartsStatus parts,
    @Size(max = 512)
        @JsonPropertyDescription("Why the newest query failed; absent if it succeeded.")
        @Nullable String lastError) {
  public MetricStatus {
    Objects.requireNonNull(name, "name");
    plan = plan == null ? List.of() : List.copyOf(plan);
  }

  /** The status of a metric of which nothing is known. */
  public static MetricStatus named(String name) {
    return new MetricStatus(
        name, null, null, null, null, null, null, null, null, null, List.of(), null, null, null,
        null, null, null, null);
  }

  /** This status with another served value. */
  public MetricStatus serving(
      String value, Instant at, long fresh, long ttl, String lowest, List<PlanPoint> rises) {
    return new MetricStatus(
        name,
        averageValue,
        observed,
        predicted,
        value,
        at,
        fresh,
        ttl,
        lowest,
        quantiles,
        rises,
        skill,
        error,
        coverage,
        breaker,
        modelFittedAt,
        parts,
        lastError);
  }
}
