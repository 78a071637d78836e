package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A condition of a GpuBooking in the format of Kubernetes (metav1.Condition). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BookingCondition(
    @Required @JsonPropertyDescription("Type of the condition.") Type type,
    @Required @JsonPropertyDescription("True or False.") ConditionStatus status,
    @JsonPropertyDescription("Generation of the spec that the condition describes.")
        @Nullable Long observedGeneration,
    @Required @JsonPropertyDescription("Time at which status last changed.")
        Instant lastTransitionTime,
    @Required @JsonPropertyDescription("Reason, from a closed list.") Reason reason,
    @Required @Size(max = 1024) @JsonPropertyDescription("Explanation, with a remedy.")
        String message) {

  /** The conditions of a GpuBooking. */
  public enum Type {
    /** All that the booking needs is kept, or nothing is. */
    Ready
  }

  /** The reasons of conditions, a closed list. */
  public enum Reason {
    /** Cards are kept for all replicas that are wanted now. */
    Booked,
    /** Cards are kept for some of them. */
    PartlyBooked,
    /** Pods have notice, and leave in time. */
    WaitsForNotice,
    /** There is no place for them. */
    NoRoom,
    /** No replica is wanted now that does not exist. */
    NothingNeeded,
    /** The spec cannot be read. */
    InvalidSpec
  }
}
