package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the controller found, decided and serves. Written by the leader only; every replica serves
 * from it.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PredictiveHPAStatus(
    @JsonPropertyDescription("Generation of the spec that this status is about.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Mode in which the last decision was made.") @Nullable Mode mode,
    @Size(max = 320) @JsonPropertyDescription("What is scaled, such as Deployment/chat.")
        @Nullable String target,
    @JsonPropertyDescription("Replicas that the target has.") @Nullable Integer currentReplicas,
    @JsonPropertyDescription("Replicas that serve: their pods are ready.")
        @Nullable Integer readyReplicas,
    @JsonPropertyDescription(
            "Replicas that the served values ask for, within minReplicas and maxReplicas.")
        @Nullable Integer desiredReplicas,
    @JsonPropertyDescription(
            "Lowest skill of all metrics: the share by which forecasts were better than the better"
                + " of repeating the last season and repeating the last value. Not above 0: not"
                + " better.")
        @Nullable Double skill,
    @JsonPropertyDescription("How far ahead is scaled, and why so far.")
        @Nullable LeadTimeStatus leadTime,
    @Size(max = 8) @JsonPropertyDescription("What is known, forecast and served of each metric.")
        List<MetricStatus> metrics,
    @JsonPropertyDescription("The newest decision from end to end.")
        @Nullable DecisionStatus lastDecision,
    @Size(max = 20) @JsonPropertyDescription("Recent decisions, newest first.")
        List<DecisionSummary> decisions,
    @Size(max = 8)
        @JsonPropertyDescription("Ready, MetricsAvailable, ForecastTrusted and ScalingActive.")
        List<StatusCondition> conditions) {
  public PredictiveHPAStatus {
    metrics = metrics == null ? List.of() : List.copyOf(metrics);
    decisions = decisions == null ? List.of() : List.copyOf(decisions);
    conditions = conditions == null ? List.of() : List.copyOf(conditions);
  }
}
