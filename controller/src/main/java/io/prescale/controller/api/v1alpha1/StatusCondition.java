package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A condition in the shape that Kubernetes gives them (metav1.Condition). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record StatusCondition(
    @Required @JsonPropertyDescription("What it is about.") ConditionType type,
    @Required @JsonPropertyDescription("Whether it holds.") ConditionStatus status,
    @JsonPropertyDescription("Generation of the spec that it is about.")
        @Nullable Long observedGeneration,
    @Required @JsonPropertyDescription("When status last changed.") Instant lastTransitionTime,
    @Required @JsonPropertyDescription("Why, in one word of a closed list.") ConditionReason reason,
    @Required @Size(max = 1024) @JsonPropertyDescription("Why, in words, with what to do.")
        String message) {
  public StatusCondition {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(lastTransitionTime, "lastTransitionTime");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
  }
}
