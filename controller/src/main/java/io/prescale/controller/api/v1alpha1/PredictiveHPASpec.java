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
 * The target to scale, its demand, and the accepted risk. The API server fills in defaults and
 * rejects invalid values, so that an absent value here was left out by the user.
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
        "metrics contains nothing to forecast; add a metric with prometheus.query or preset to the"
            + " native ones")
public record PredictiveHPASpec(
    @Required
        @JsonPropertyDescription(
            "Workload to scale: any resource with a scale subresource, such as a Deployment, a"
                + " StatefulSet, a LeaderWorkerSet or a custom resource.")
        ScaleTargetRef scaleTargetRef,
    @Default("1") @Min(1) @Max(100_000) @JsonPropertyDescription("Minimum number of replicas.")
        int minReplicas,
    @Required
        @Min(1)
        @Max(100_000)
        @JsonPropertyDescription("Maximum number of replicas; at least minReplicas.")
        int maxReplicas,
    @Default("\"Shadow\"")
        @JsonPropertyDescription(
            "Shadow: forecasts, records in the status what it would do, and changes nothing."
                + " Active: also keeps an HPA that scales the target.")
        Mode mode,
    @Required
        @Size(min = 1, max = 8)
        @JsonPropertyDescription(
            "Demands to forecast, and native HPA metrics that act alongside them. The HPA uses the"
                + " highest number of replicas that any of them asks for.")
        List<MetricEntry> metrics,
    @Default("{}")
        @JsonPropertyDescription(
            "The history to learn from, the models, and known events and time zone.")
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
            "How far ahead to scale. auto: the time that new replicas of this target need until"
                + " they are ready, measured at every scale-up. Otherwise a duration: a whole"
                + " number and one unit of s, m, h, such as 90s or 5m; at most 24h.")
        String leadTime,
    @JsonPropertyDescription(
            "Accepted risk of a shortage: budget or shortageCost. By default, ready capacity may"
                + " fall short 0.5% of the time.")
        @Nullable RiskSpec risk,
    @Default("{}")
        @JsonPropertyDescription("What is served while the demand is unknown; never zero.")
        FallbackSpec fallback,
    @JsonPropertyDescription(
            "How fast the HPA may scale up and down: the HPA's own field, passed on. If"
                + " scaleUp.tolerance is not set and the API server supports it, it becomes 0.")
        @Nullable HorizontalPodAutoscalerBehavior behavior,
    @JsonPropertyDescription(
            "Prometheus server to query instead of the one configured for the controller.")
        @Nullable PrometheusSpec prometheus,
    @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
            messageExpression =
                "'adopt is \\'' + self + '\\', which is not a valid HPA name; write the name of an"
                    + " HPA in this namespace, in lower case'")
        @JsonPropertyDescription(
            "Name of an HPA in this namespace to adopt in Active mode instead of creating one."
                + " Shadow mode or the deletion of this resource restores its own rules.")
        @Nullable String adopt) {

  public PredictiveHPASpec {
    Objects.requireNonNull(scaleTargetRef, "spec.scaleTargetRef is missing");
    minReplicas = minReplicas == 0 ? 1 : minReplicas; // Jackson sets an absent value to 0
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

  /** The forecast metrics, in order. */
  public List<MetricEntry> forecastMetrics() {
    return metrics.stream().filter(metric -> metric.passedOn() == null).toList();
  }

  /** The user's native HPA metrics, which are passed on unchanged. */
  public List<MetricSpec> nativeMetrics() {
    return metrics.stream().flatMap(metric -> Stream.ofNullable(metric.passedOn())).toList();
  }

  /** The declared lead time; empty if it is measured. */
  public Optional<Duration> declaredLeadTime() {
    return leadTime.equals("auto") ? Optional.empty() : Optional.of(SpecDuration.parse(leadTime));
  }
}
