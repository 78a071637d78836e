package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A condition of a GpuQueue in the format of Kubernetes (metav1.Condition). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record QueueCondition(
    @Required @JsonPropertyDescription("Type of the condition.") Type type,
    @Required @JsonPropertyDescription("True or False.") ConditionStatus status,
    @JsonPropertyDescription("Generation of the spec that the condition describes.")
        @Nullable Long observedGeneration,
    @Required @JsonPropertyDescription("Time at which status last changed.")
        Instant lastTransitionTime,
    @Required @JsonPropertyDescription("Reason, from a closed list.") Reason reason,
    @Required @Size(max = 1024) @JsonPropertyDescription("Explanation, with a remedy.")
        String message) {

  /** The conditions of a GpuQueue. */
  public enum Type {
    /** The spec is in force as it is written. */
    Ready
  }

  /** The reasons of conditions, a closed list. */
  public enum Reason {
    /** The spec is in force as it is written. */
    InForce,
    /** The queue named as parent does not exist or is not in force. */
    UnknownParent,
    /** The queue is its own ancestor. */
    Cycle,
    /** The queue has more than nine queues above it. */
    TooDeep,
    /** The children of a queue are guaranteed more than the queue itself. */
    GuaranteeBeyondParent,
    /** A model is named by two queues, and others by only one of them. */
    ModelsOverlap,
    /** The spec cannot be read. */
    InvalidSpec
  }
}
