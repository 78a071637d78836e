package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a queue has and waits for; a parent has what its children have together. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GpuQueueStatus(
    @JsonPropertyDescription("Generation of the spec that the status describes.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Cards that pods of the queue hold or are offered.")
        @Nullable String used,
    @JsonPropertyDescription("Cards that the queue should have, given what all queues ask for.")
        @Nullable String owed,
    @JsonPropertyDescription("Cards that the queue has beyond its guarantee.")
        @Nullable String borrowed,
    @JsonPropertyDescription("Pods that wait for cards.") @Nullable Integer waiting,
    @JsonPropertyDescription("Time at which the oldest of them was created.")
        @Nullable Instant waitingSince,
    @JsonPropertyDescription("Pods that have notice to give their cards back, if there are any.")
        @Nullable Integer notified,
    @Size(max = 4) @JsonPropertyDescription("Whether the queue is in force.")
        List<QueueCondition> conditions) {
  public GpuQueueStatus {
    conditions = List.copyOf(Objects.requireNonNullElse(conditions, List.of()));
  }
}
