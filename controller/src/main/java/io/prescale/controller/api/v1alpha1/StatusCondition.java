package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A condition in the format of Kubernetes (metav1.Condition). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record StatusCondition(
    @Required @JsonPropertyDescription("Type of the condition.") ConditionType type,
    @Required @JsonPropertyDescription("True, False or Unknown.") ConditionStatus status,
    @JsonPropertyDescription("Generation of the spec that the condition describes.")
        @Nullable Long observedGeneration,
    @Required @JsonPropertyDescription("Time at which status last changed.")
        Instant lastTransitionTime,
    @Required @JsonPropertyDescription("Reason, from a closed list.") ConditionReason reason,
    @Required @Size(max = 1024) @JsonPropertyDescription("Explanation, with a remedy.")
        String message) {
  public StatusCondition {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(lastTransitionTime, "lastTransitionTime");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
  }
}
