package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;

/** What is served while the demand is unknown, or forecasts are not followed. */
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
        String ttl,
    @Default("\"80%\"")
        @Size(min = 2, max = 12)
        @ValidationRule(
            value = IS_UTILIZATION,
            messageExpression =
                "'utilization is \\'' + self + '\\'; write a percentage from 10% to 100%, such as"
                    + " 80%'")
        @JsonPropertyDescription(
            "While forecasts are not followed, replicas are asked for as by an HPA that aims at"
                + " this share of averageValue, because no quantile provides headroom then: with"
                + " 80%, a quarter more than the newest value. With 100%, just the newest value.")
        String utilization) {
  /** From 10 % to 100 %. */
  private static final String IS_UTILIZATION =
      PercentText.IS_PERCENTAGE
          + (" && " + PercentText.NUMBER + " >= 10.0")
          + (" && " + PercentText.NUMBER + " <= 100.0");

  public FallbackSpec {
    ttl = ttl == null ? "15m" : ttl;
    utilization = utilization == null ? "80%" : utilization;
  }

  /** 15 minutes, then an error; 80 % of what a replica carries. */
  public static FallbackSpec defaults() {
    return new FallbackSpec("15m", "80%");
  }

  /** The duration of {@code ttl}. */
  public Duration ttlLength() {
    return SpecDuration.parse(ttl);
  }

  /** The utilization as a share, 0.8 for 80%. */
  public double utilizationShare() {
    return PercentText.share(utilization);
  }
}
