package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** On which terms a queue gives back what it has borrowed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record QueueReclaim(
    @Default("\"Off\"")
        @JsonPropertyDescription(
            "Off: nothing is taken back. Advise: events say what would be taken. Act: pods get"
                + " notice, then workloads are suspended and other pods evicted.")
        ReclaimMode mode,
    @Default("\"5m\"")
        @Size(min = 2, max = 5)
        @ValidationRule(
            value = "self.matches('^[1-9][0-9]{0,3}[smh]$')",
            messageExpression =
                "'grace is \\'' + self + '\\'; write a whole number and one unit of s, m, h, such"
                    + " as 5m'")
        @ValidationRule(
            value = "!self.matches('^[1-9][0-9]{0,3}[smh]$') || duration(self) <= duration('24h')",
            messageExpression = "'grace is ' + self + ', longer than a day; write 24h or less'")
        @JsonPropertyDescription(
            "Notice that a pod gets. A pod may wish for less with its annotation"
                + " gpu.prescale.io/grace.")
        String grace,
    @Min(1)
        @Max(10000)
        @JsonPropertyDescription(
            "Pods that may be taken from the queue in an hour. By default 100.")
        @Nullable Integer maxPerHour) {
  private static final int PER_HOUR = 100;

  public QueueReclaim {
    mode = Objects.requireNonNullElse(mode, ReclaimMode.Off);
    grace = Objects.requireNonNullElse(grace, "5m");
  }

  /** The duration of {@code grace}. */
  public Duration graceLength() {
    return SpecDuration.parse(grace);
  }

  /** The number of {@code maxPerHour}, or its default. */
  public int mostPerHour() {
    return Objects.requireNonNullElse(maxPerHour, PER_HOUR);
  }
}
