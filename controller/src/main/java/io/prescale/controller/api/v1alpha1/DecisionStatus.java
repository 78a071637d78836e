package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One decision from end to end, for the metric that asked for the most replicas. Values are
 * Kubernetes quantities.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record DecisionStatus(
    @Required @JsonPropertyDescription("Time of the decision.") Instant at,
    @Size(max = 63) @JsonPropertyDescription("Metric that asked for the most replicas.")
        @Nullable String metric,
    @Size(max = 32) @JsonPropertyDescription("Newest observed demand.") @Nullable String observed,
    @Size(max = 32) @JsonPropertyDescription("Central forecast one lead time ahead.")
        @Nullable String forecast,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Amount added to that forecast to keep shortages within spec.risk.")
        @Nullable String riskUplift,
    @JsonPropertyDescription(
            "Probability, 0 to 1, that one lead time ahead demand exceeds what the replicas carry"
                + " that the served value asks for.")
        @Nullable Double shortageProbability,
    @JsonPropertyDescription("Lead time in seconds.") @Nullable Long leadSeconds,
    @Size(max = 32) @JsonPropertyDescription("Served value.") @Nullable String served,
    @JsonPropertyDescription("Replicas that the decision asks for.")
        @Nullable Integer desiredReplicas,
    @Size(max = 64) @JsonPropertyDescription("Rule that determined the served value.")
        @Nullable String reason,
    @Size(max = 64)
        @JsonPropertyDescription(
            "With minReplicas 0, why a replica is needed: ObservedDemand, Forecast, DeclaredEvent"
                + " or Unknown; or that none is: Idle.")
        @Nullable String activity,
    @JsonPropertyDescription(
            "With minReplicas 0, the probability, 0 to 1, that there is demand one lead time"
                + " ahead.")
        @Nullable Double demandProbability,
    @Size(max = 63) @JsonPropertyDescription("Schedule that determined it, where one did.")
        @Nullable String schedule,
    @JsonPropertyDescription(
            "What keeping spec.risk.budget would cost, where its costLimit is too low for it.")
        @Nullable MissedBudgetStatus missedBudget,
    @Size(max = 512) @JsonPropertyDescription("The decision in words.") @Nullable String message,
    @JsonPropertyDescription("How the HPA acted on the decision.") @Nullable HpaOutcome hpa) {
  public DecisionStatus {
    Objects.requireNonNull(at, "at");
  }
}
