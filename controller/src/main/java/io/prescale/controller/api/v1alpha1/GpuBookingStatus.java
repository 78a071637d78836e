package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is kept for the replicas that are expected. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GpuBookingStatus(
    @JsonPropertyDescription("Generation of the spec that the status describes.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Further replicas for which cards are wanted now.")
        @Nullable Integer needed,
    @JsonPropertyDescription("Of these, replicas for which cards are kept.")
        @Nullable Integer booked,
    @JsonPropertyDescription("Of these, replicas for which pods have notice.")
        @Nullable Integer asked,
    @JsonPropertyDescription(
            "Of these, replicas for which no place was found; nodes would have to be added.")
        @Nullable Integer missing,
    @JsonPropertyDescription("When the first need begins of which replicas are missing.")
        @Nullable Instant missingFrom,
    @Size(max = 4) @JsonPropertyDescription("Whether the booking is in force.")
        List<BookingCondition> conditions) {
  public GpuBookingStatus {
    conditions = List.copyOf(Objects.requireNonNullElse(conditions, List.of()));
  }
}
