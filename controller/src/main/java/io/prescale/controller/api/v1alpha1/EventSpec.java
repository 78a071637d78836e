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

/** A time that is known in advance to differ from the usual pattern. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "self.start < self.end",
    fieldPath = ".end",
    messageExpression =
        "'event \\'' + self.name + '\\' does not end after its start; set end after start'")
public record EventSpec(
    @Required
        @Size(min = 1, max = 63)
        @JsonPropertyDescription("Name of the event, shown in explanations.")
        String name,
    @Required
        @JsonPropertyDescription(
            "Start of the event (RFC 3339), such as 2026-11-27T08:00:00+01:00.")
        Instant start,
    @Required @JsonPropertyDescription("End of the event (RFC 3339), exclusive.") Instant end,
    @Min(0)
        @Max(1000)
        @JsonPropertyDescription(
            "Expected demand as a multiple of the usual, such as 2.5. Without it, the event is only"
                + " excluded from learning.")
        @Nullable Double factor) {

  public EventSpec {
    Objects.requireNonNull(name, "an event has no name");
    Objects.requireNonNull(start, "an event has no start");
    Objects.requireNonNull(end, "an event has no end");
  }
}
