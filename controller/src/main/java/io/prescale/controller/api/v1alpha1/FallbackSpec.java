package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;

/** What is served while the demand is unknown. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record FallbackSpec(
    @Default("\"15m\"")
        @Size(min = 2, max = 7)
        @ValidationRule(
            value = "self.matches('^[1-9][0-9]{0,5}[smh]$')",
            messageExpression =
                "'ttl is \\'' + self + '\\'; write a whole number and one unit of s, m, h, such as"
                    + " 15m'")
        @ValidationRule(
            value = "!self.matches('^[1-9][0-9]{0,5}[smh]$') || duration(self) <= duration('24h')",
            messageExpression = "'ttl is ' + self + ', longer than a day; write 24h or less'")
        @JsonPropertyDescription(
            "How long the last-known-good value is served; meanwhile it rises with the plan and"
                + " never falls. After that the metric returns an error, and the HPA keeps the"
                + " replicas.")
        String ttl) {

  public FallbackSpec {
    ttl = ttl == null ? "15m" : ttl;
  }

  /** 15 minutes, then an error. */
  public static FallbackSpec defaults() {
    return new FallbackSpec("15m");
  }

  /** The duration of {@code ttl}. */
  public Duration ttlLength() {
    return SpecDuration.parse(ttl);
  }
}
