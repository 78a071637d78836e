package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Instant;
import java.util.Objects;

/** So many replicas are needed for some time, with a probability. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "self.from < self.until",
    fieldPath = ".until",
    message = "until is not after from; write a later time")
public record BookingNeed(
    @Required
        @JsonPropertyDescription(
            "When the replicas are created at the earliest; from then on cards are kept for them.")
        Instant from,
    @Required @JsonPropertyDescription("When the need ends; nothing is kept after that.")
        Instant until,
    @Required
        @Min(1)
        @Max(100_000)
        @JsonPropertyDescription("Replicas in all, with those that exist.")
        int replicas,
    @Required
        @Min(1)
        @Max(100)
        @JsonPropertyDescription("Probability, in percent, that as many are needed.")
        int percent) {
  public BookingNeed {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(until, "until");
  }
}
