package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Images that are pulled ahead of the replicas, and what that has saved. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BookingImages(
    @Required
        @JsonPropertyDescription(
            "Nodes where replicas will be that are expected soon enough, as it looks now.")
        int nodes,
    @Required @JsonPropertyDescription("Of these, those that have the images.") int ready,
    @Size(max = 20)
        @JsonPropertyDescription(
            "Seconds that the last pods took from their binding until they were ready, on nodes to"
                + " which their images had been pulled ahead; the newest last.")
        List<Long> warmSeconds,
    @Size(max = 20)
        @JsonPropertyDescription(
            "The same on nodes that lacked an image when the pod was bound; the newest last.")
        List<Long> coldSeconds,
    @JsonPropertyDescription("When the last of these pods became ready.") @Nullable Instant newest,
    @JsonPropertyDescription(
            "Median of the cold starts less that of the warm ones, once there are three of both.")
        @Nullable Long savedSeconds) {
  public BookingImages {
    warmSeconds = List.copyOf(Objects.requireNonNullElse(warmSeconds, List.of()));
    coldSeconds = List.copyOf(Objects.requireNonNullElse(coldSeconds, List.of()));
  }
}
