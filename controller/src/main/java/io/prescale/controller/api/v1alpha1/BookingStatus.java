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

/** What is booked for replicas that are forecast; written by the leader, apart from the rest. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BookingStatus(
    @Required @JsonPropertyDescription("What became of spec.booking, from a closed list.")
        BookingReason reason,
    @JsonPropertyDescription("Most replicas of a need in the GpuBooking, running ones included.")
        @Nullable Integer replicas,
    @JsonPropertyDescription("When the first of as many has to be created.") @Nullable Instant from,
    @JsonPropertyDescription("Probability, in percent, that as many are needed.")
        @Nullable Integer percent,
    @JsonPropertyDescription(
            "Replicas for which an autoscaler is asked for nodes; absent while none are.")
        @Nullable Integer buffer,
    @Size(max = 10)
        @JsonPropertyDescription(
            "Seconds that the last nodes took that were asked for, until their cards were there;"
                + " the newest last.")
        List<Long> nodeLeadSeconds,
    @Required @Size(max = 512) @JsonPropertyDescription("The same in a sentence.") String message) {
  private static final int LONGEST_MESSAGE = 512;

  public BookingStatus {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
    nodeLeadSeconds = nodeLeadSeconds == null ? List.of() : List.copyOf(nodeLeadSeconds);
    message = Shortened.to(LONGEST_MESSAGE, message);
  }

  /** The same with another sentence. */
  public BookingStatus with(String sentence) {
    return new BookingStatus(
        reason, replicas, from, percent, buffer, nodeLeadSeconds, message + " " + sentence);
  }
}
