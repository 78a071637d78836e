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
    @Required
        @JsonPropertyDescription("Time at which status last changed, or reason to or from NoRoom.")
        Instant lastTransitionTime,
    @Required @JsonPropertyDescription("Reason, from a closed list.") Reason reason,
    @Required @Size(max = 1024) @JsonPropertyDescription("Explanation, with a remedy.")
        String message) {

  /** The conditions of a GpuBooking. */
  public enum Type {
    /** Everything that is expected has its cards, or will have them in time. */
    Ready,
    /** The nodes of what is expected soon have its images; absent where none are pulled ahead. */
    Warm
  }

  /** The reasons of conditions, a closed list. */
  public enum Reason {
    /** Nothing is expected now, or all that is expected has cards. */
    NothingExpected,
    /** Cards are kept for all that is expected. */
    Booked,
    /** What is expected comes later; its cards are not kept yet. */
    NotYet,
    /** Pods have notice so that their cards are free in time. */
    PodsAsked,
    /** There is no room for some replicas, and no pod that may be asked to leave. */
    NoRoom,
    /** The queue's share does not cover the cards of some replicas. */
    NotOwed,
    /** Keeping cards would cost more than the shortage that is likely. */
    NotWorth,
    /** Pods were not bound though cards were kept for them; these are given out again. */
    NotBound,
    /** The spec cannot be read, or its template asks for no cards that are known one by one. */
    InvalidSpec,
    /** The nodes have the images. */
    ImagesReady,
    /** Images are being pulled, or will be when it is their turn. */
    Pulling,
    /** An image cannot be pulled; it is tried again. */
    PullFailed,
    /** The API server refused the pod that pulls, or serves no image volumes. */
    PullRefused
  }
}
