package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A floor, a ceiling or both, from each start until the next end. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "self.start != self.end",
    fieldPath = ".end",
    messageExpression =
        "'schedule \\'' + self.name + '\\' ends whenever it starts; write another end'")
@ValidationRule(
    value = "has(self.minReplicas) || has(self.maxReplicas)",
    fieldPath = ".minReplicas",
    messageExpression =
        "'schedule \\'' + self.name + '\\' has neither minReplicas nor maxReplicas; write one of"
            + " them'")
@ValidationRule(
    value =
        "!has(self.minReplicas) || !has(self.maxReplicas) || self.maxReplicas >= self.minReplicas",
    fieldPath = ".maxReplicas",
    messageExpression =
        "'maxReplicas of schedule \\'' + self.name + '\\' is below its minReplicas; raise"
            + " maxReplicas or lower minReplicas'")
public record ScheduleSpec(
    @Required
        @Size(min = 1, max = 63)
        @JsonPropertyDescription("Name of the schedule, shown in explanations.")
        String name,
    @Required
        @Size(min = 1, max = 128)
        @ValidationRule(
            value = CRON,
            messageExpression =
                "'start is \\'' + self + '\\'; write a cron expression of five fields, such as 0 8"
                    + " * * 1-5'")
        @JsonPropertyDescription(
            "Start of the window: a cron expression of five fields as in a CronJob, such as 0 8 * *"
                + " 1-5. minReplicas are created one lead time earlier, so that they serve by"
                + " then.")
        String start,
    @Required
        @Size(min = 1, max = 128)
        @ValidationRule(
            value = CRON,
            messageExpression =
                "'end is \\'' + self + '\\'; write a cron expression of five fields, such as 0 20 *"
                    + " * 1-5'")
        @JsonPropertyDescription("End of the window, exclusive: a cron expression as for start.")
        String end,
    @Size(min = 1, max = 64)
        @JsonPropertyDescription(
            "Time zone of start and end: an IANA name such as Europe/Berlin; by default"
                + " spec.forecast.timeZone.")
        @Nullable String timeZone,
    @Min(1)
        @Max(100_000)
        @JsonPropertyDescription(
            "Minimum number of replicas during the window, also while the demand is unknown.")
        @Nullable Integer minReplicas,
    @Min(1)
        @Max(100_000)
        @JsonPropertyDescription(
            "Maximum number of replicas for the forecast metrics during the window, even if demand"
                + " needs more. The minReplicas of another schedule prevail.")
        @Nullable Integer maxReplicas) {

  private static final String CRON =
      "self.matches('^(@[a-z]+|[0-9A-Za-z*?/,-]+( +[0-9A-Za-z*?/,-]+){4})$')";

  public ScheduleSpec {
    Objects.requireNonNull(name, "a schedule has no name");
    Objects.requireNonNull(start, "a schedule has no start");
    Objects.requireNonNull(end, "a schedule has no end");
  }
}
