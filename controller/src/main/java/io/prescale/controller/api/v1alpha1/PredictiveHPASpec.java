package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpec;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is to be scaled, by which demand, and how careful to be. The API server fills in defaults
 * and refuses what makes no sense, so that an absent value here means that the user left it out.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "!has(self.minReplicas) || self.maxReplicas >= self.minReplicas",
    fieldPath = ".maxReplicas",
    message = "maxReplicas is below minReplicas; raise maxReplicas or lower minReplicas")
@ValidationRule(
    value = "self.metrics.exists(m, !has(m.native))",
    fieldPath = ".metrics",
    message =
        "metrics holds nothing to forecast; add a metric with prometheus.query or preset beside the"
            + " native ones")
public record PredictiveHPASpec(
    @Required
        @JsonPropertyDescription(
            "What is scaled: anything that has a scale subresource, such as a Deployment, a"
                + " StatefulSet, a LeaderWorkerSet or a custom resource.")
        ScaleTargetRef scaleTargetRef,
    @Default("1")
        @Min(1)
        @Max(100_000)
        @JsonPropertyDescription("Fewest replicas that are ever asked for.")
        int minReplicas,
    @Required
        @Min(1)
        @Max(100_000)
        @JsonPropertyDescription("Most replicas that are ever asked for; at least minReplicas.")
        int maxReplicas,
    @Default("\"Shadow\"")
        @JsonPropertyDescription(
            "Shadow: forecasts, records in the status what would be done, and changes nothing."
                + " Active: keeps an HPA that scales the target.")
        Mode mode,
    @Required
        @Size(min = 1, max = 8)
        @JsonPropertyDescription(
            "The demands that are forecast, and native HPA metrics that act beside them. The HPA"
                + " takes the highest number of replicas that any of them asks for.")
        List<MetricEntry> metrics,
    @Default("{}")
        @JsonPropertyDescription("What the forecast learns from, and what people know about time.")
        ForecastSpec forecast,
    @Default("\"auto\"")
        @Size(min = 1, max = 12)
        @ValidationRule(
            value = "self == 'auto' || self.matches('^[1-9][0-9]{0,5}[smh]$')",
            messageExpression =
                "'leadTime is \\'' + self + '\\'; write auto, or a whole number and one unit of s,"
                    + " m, h, such as 90s or 5m'")
        @ValidationRule(
            value = "!self.matches('^[1-9][0-9]{0,5}[smh]$') || duration(self) <= duration('24h')",
            messageExpression = "'leadTime is ' + self + ', longer than a day; write 24h or less'")
        @JsonPropertyDescription(
            "How far ahead to scale. auto: as long as new replicas of this target take until they"
                + " are ready, measured at every scale-up. Or a duration: a whole number and one"
                + " unit of s, m, h, such as 90s or 5m; at most 24h.")
        String leadTime,
    @JsonPropertyDescription(
            "How much shortage is acceptable: budget or shortageCost. Without it, ready capacity"
                + " may fall short in 0.5% of the time.")
        @Nullable RiskSpec risk,
    @Default("{}")
        @JsonPropertyDescription("What is served while the demand is unknown. Never zero.")
        FallbackSpec fallback,
    @JsonPropertyDescription(
            "How fast the HPA may scale up and down: the HPA's own field, passed on. Where"
                + " scaleUp.tolerance is not set and the API server has it, it becomes 0.")
        @Nullable HorizontalPodAutoscalerBehavior behavior,
    @JsonPropertyDescription(
            "The server to ask instead of the one that the controller was installed with.")
        @Nullable PrometheusSpec prometheus,
    @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
            messageExpression =
                "'adopt is \\'' + self + '\\', which cannot be the name of an HPA; write the name"
                    + " of an HPA of this namespace, in lower case'")
        @JsonPropertyDescription(
            "Name of an HPA of this namespace to take over in Active mode instead of making one;"
                + " its own rules come back with Shadow mode or with the deletion of this"
                + " resource.")
        @Nullable String adopt) {

  public PredictiveHPASpec {
    Objects.requireNonNull(scaleTargetRef, "spec.scaleTargetRef is missing");
    minReplicas = minReplicas == 0 ? 1 : minReplicas; // Jackson gives 0 for what is absent
    if (minReplicas < 1 || maxReplicas < minReplicas) {
      throw new IllegalArgumentException(
          "spec.minReplicas and spec.maxReplicas must be at least 1 and ascend: %d, %d"
              .formatted(minReplicas, maxReplicas));
    }
    mode = mode == null ? Mode.Shadow : mode;
    metrics = metrics == null ? List.of() : List.copyOf(metrics);
    forecast = forecast == null ? ForecastSpec.defaults() : forecast;
    leadTime = leadTime == null ? "auto" : leadTime;
    fallback = fallback == null ? FallbackSpec.defaults() : fallback;
  }

  /** Scales the target by these metrics between two bounds; all else as by default. */
  public static PredictiveHPASpec of(
      ScaleTargetRef target,
      int minReplicas,
      int maxReplicas,
      Mode mode,
      List<MetricEntry> metrics) {
    return new PredictiveHPASpec(
        target,
        minReplicas,
        maxReplicas,
        mode,
        metrics,
        ForecastSpec.defaults(),
        "auto",
        null,
        FallbackSpec.defaults(),
        null,
        null,
        null);
  }

  /** The metrics that are forecast, in their order. */
  public List<MetricEntry> forecastMetrics() {
    return metrics.stream().filter(metric -> metric.passedOn() == null).toList();
  }

  /** The user's own HPA metrics, to be passed on as they are. */
  public List<MetricSpec> nativeMetrics() {
    return metrics.stream().flatMap(metric -> Stream.ofNullable(metric.passedOn())).toList();
  }

  /** The declared lead time; empty when it is to be measured. */
  public Optional<Duration> declaredLeadTime() {
    return leadTime.equals("auto") ? Optional.empty() : Optional.of(SpecDuration.parse(leadTime));
  }
}
