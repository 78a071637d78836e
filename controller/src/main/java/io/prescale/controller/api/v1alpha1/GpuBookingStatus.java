package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What became of the expected replicas. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GpuBookingStatus(
    @JsonPropertyDescription("Generation of the spec that the status describes.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Replicas that are expected and have no cards yet.")
        @Nullable Integer expected,
    @JsonPropertyDescription("Of these, those for which free cards are kept.")
        @Nullable Integer booked,
    @JsonPropertyDescription("Of these, those for which pods have notice, or are leaving.")
        @Nullable Integer asked,
    @JsonPropertyDescription("Of these, those for which nothing can be done: nodes are missing.")
        @Nullable Integer missing,
    @JsonPropertyDescription("When the first of those that are missing is to be created.")
        @Nullable Instant missingFrom,
    @Size(max = 100)
        @JsonPropertyDescription(
            "What the expected replicas without pods need for which no pod is asked to leave, by"
                + " the time at which they are created.")
        List<BookingRoom> room,
    @JsonPropertyDescription(
            "Images that are pulled ahead of the replicas; absent where that is switched off.")
        @Nullable BookingImages images,
    @Size(max = 4)
        @JsonPropertyDescription(
            "Whether the booking is in force, and whether images are where they will be needed.")
        List<BookingCondition> conditions) {
  public GpuBookingStatus {
    room = List.copyOf(Objects.requireNonNullElse(room, List.of()));
    conditions = List.copyOf(Objects.requireNonNullElse(conditions, List.of()));
  }
}
