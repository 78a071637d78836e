package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A time that people know to be different beforehand. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "self.start < self.end",
    fieldPath = ".end",
    messageExpression =
        "'event \\'' + self.name + '\\' does not end after its start; move end behind start'")
public record EventSpec(
    @Required
        @Size(min = 1, max = 63)
        @JsonPropertyDescription("What it is; shown in explanations.")
        String name,
    @Required
        @JsonPropertyDescription("When it begins (RFC 3339), such as 2026-11-27T08:00:00+01:00.")
        Instant start,
    @Required @JsonPropertyDescription("When it ends (RFC 3339), exclusive.") Instant end,
    @Min(0)
        @Max(1000)
        @JsonPropertyDescription(
            "Demand expected relative to an ordinary time, such as 2.5; without it, the event is"
                + " only kept out of what is learned about ordinary times.")
        @Nullable Double factor) {

  public EventSpec {
    Objects.requireNonNull(name, "an event has no name");
    Objects.requireNonNull(start, "an event has no start");
    Objects.requireNonNull(end, "an event has no end");
  }
}
