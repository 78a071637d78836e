package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A past decision in brief, for {@code prescale explain --at}. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record DecisionSummary(
    @Required @JsonPropertyDescription("Time of the decision.") Instant at,
    @Size(max = 63) @JsonPropertyDescription("Metric that asked for the most replicas.")
        @Nullable String metric,
    @Size(max = 32) @JsonPropertyDescription("Newest observed demand.") @Nullable String observed,
    @Size(max = 32) @JsonPropertyDescription("Central forecast one lead time ahead.")
        @Nullable String forecast,
    @Size(max = 32) @JsonPropertyDescription("Served value.") @Nullable String served,
    @JsonPropertyDescription("Lead time in seconds.") @Nullable Long leadSeconds,
    @JsonPropertyDescription("Replicas of the target.") @Nullable Integer currentReplicas,
    @JsonPropertyDescription("Replicas that the decision asked for.")
        @Nullable Integer desiredReplicas,
    @Size(max = 64) @JsonPropertyDescription("Rule that determined the served value.")
        @Nullable String reason,
    @Size(max = 64)
        @JsonPropertyDescription("With minReplicas 0, why a replica was needed, or Idle.")
        @Nullable String activity,
    @Size(max = 64) @JsonPropertyDescription("Rule that limited the HPA.") @Nullable String gate) {
  public DecisionSummary {
    Objects.requireNonNull(at, "at");
  }
}
