package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;

/** A series that may show demand before it comes. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LeadingMetric(
    @Required
        @Size(min = 1, max = 63)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9_.]*[a-z0-9])?$')",
            messageExpression =
                "'leading series \\'' + self + '\\' is not a valid name; write lower-case letters,"
                    + " digits and -, _ or . between them, such as gateway-arrivals'")
        @JsonPropertyDescription("Name of the series, for explanations.")
        String name,
    @Required
        @Size(min = 1, max = 4096)
        @ValidationRule(
            value = "self.matches('[^[:space:]]')",
            message =
                "query is blank; write a PromQL expression that returns one series, such as"
                    + " sum(rate(gateway_requests_total[1m]))")
        @JsonPropertyDescription(
            "PromQL expression that returns one series of values that are not negative, asked of"
                + " the same server as the demand.")
        String query) {

  public LeadingMetric {
    Objects.requireNonNull(name, "a leading series has no name");
    Objects.requireNonNull(query, "the leading series " + name + " has no query");
  }
}
