package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Instant;
import java.util.Objects;

/** A period that is excluded from learning. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "self.start < self.end",
    fieldPath = ".end",
    messageExpression =
        "'excluded window \\'' + self.reason + '\\' does not end after its start; set end after"
            + " start'")
public record ExcludedWindowSpec(
    @Required
        @Size(min = 1, max = 63)
        @JsonPropertyDescription("Reason for the exclusion, shown in explanations.")
        String reason,
    @Required
        @JsonPropertyDescription("Start of the period (RFC 3339), such as 2026-11-03T14:00:00Z.")
        Instant start,
    @Required @JsonPropertyDescription("End of the period (RFC 3339), exclusive.") Instant end) {

  public ExcludedWindowSpec {
    Objects.requireNonNull(reason, "an excluded window has no reason");
    Objects.requireNonNull(start, "an excluded window has no start");
    Objects.requireNonNull(end, "an excluded window has no end");
  }
}
