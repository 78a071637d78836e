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
@ValidationRule(
    value = "!has(self.adopt) || self.scaleThrough == 'PrescaleHPA'",
    fieldPath = ".adopt",
    messageExpression =
        "'adopt is only for scaleThrough: PrescaleHPA, and scaleThrough is ' + self.scaleThrough +"
            + " '; remove adopt'")
@ValidationRule(
    value = "!has(self.behavior) || self.scaleThrough == 'PrescaleHPA'",
    fieldPath = ".behavior",
    messageExpression =
        "'behavior is only for scaleThrough: PrescaleHPA; write it in ' + (self.scaleThrough =="
            + " 'KEDA' ? 'the ScaledObject' : 'your HPA')")
@ValidationRule(
    value = "self.scaleThrough == 'PrescaleHPA' || !self.metrics.exists(m, has(m.native))",
    fieldPath = ".metrics",
    messageExpression =
        "'native metrics are only for scaleThrough: PrescaleHPA; write them in ' +"
            + " (self.scaleThrough == 'KEDA' ? 'the ScaledObject' : 'your HPA')")
@ValidationRule(
    value =
        "!has(self.minReplicas) || self.minReplicas > 0 || self.metrics.all(m, has(m.native) ?"
            + " m.native.type in ['External', 'Object'] : has(m.prometheus) || (has(m.preset) &&"
            + " m.preset in ['llm-d', 'http-add-on']))",
    fieldPath = ".minReplicas",
    message =
        "minReplicas is 0, and a metric is of pods, of which there are none at zero; measure at a"
            + " gateway (preset llm-d or http-add-on, or prometheus.query), or write minReplicas 1"
            + " or more")
@ValidationRule(
    value =
        "!has(self.risk) || !has(self.risk.atZero) || (has(self.minReplicas) && self.minReplicas =="
            + " 0)",
    fieldPath = ".risk.atZero",
    message =
        "risk.atZero is set, and minReplicas is not 0; write minReplicas: 0, or remove risk.atZero")
@ValidationRule(
    value =
        "!has(self.schedules) || self.schedules.all(s, !has(s.minReplicas) || s.minReplicas <="
            + " self.maxReplicas)",
    fieldPath = ".schedules",
    message =
        "schedules asks for more than maxReplicas; raise maxReplicas or lower the minReplicas of"
            + " the schedule")
@ValidationRule(
    value =
        "!has(self.schedules) || self.schedules.all(s, !has(s.maxReplicas) ||"
            + " !has(self.minReplicas) || s.maxReplicas >= self.minReplicas)",
    fieldPath = ".schedules",
    message =
        "schedules allows fewer than minReplicas; lower minReplicas or raise the maxReplicas of the"
            + " schedule")
@ValidationRule(
    value =
        "!has(self.scaleIn) || self.scaleIn.podDeletionCost == 'None' ||"
            + " has(self.scaleIn.prometheus) || self.metrics.exists(m, has(m.preset) && m.preset in"
            + " ['vllm', 'triton', 'tgi', 'sglang', 'nim'])",
    fieldPath = ".scaleIn",
    message =
        "no metric shows how much work a pod has in flight; write scaleIn.prometheus.query, such"
            + " as sum by (pod) (requests_in_flight)")
@ValidationRule(
    value =
        "!has(self.scaleIn) || self.scaleIn.podDeletionCost == 'None' ||"
            + " !(self.scaleTargetRef.kind in ['StatefulSet', 'LeaderWorkerSet'])",
    fieldPath = ".scaleIn",
    messageExpression =
        "'a ' + self.scaleTargetRef.kind + ' removes the pods with the highest numbers, whatever"
            + " their deletion cost; remove scaleIn'")
public record PredictiveHPASpec(
    @Required
        @JsonPropertyDescription(
            "Workload to scale: any resource with a scale subresource, such as a Deployment, a"
                + " StatefulSet, a LeaderWorkerSet or a custom resource.")
        ScaleTargetRef scaleTargetRef,
    @Default("1")
        @Min(0)
        @Max(100_000)
        @JsonPropertyDescription(
            "Minimum number of replicas. 0: none while there is no demand and none is forecast; the"
                + " HPA needs the feature gate HPAScaleToZero for it, KEDA does not.")
        Integer minReplicas,
    @Required
        @Min(1)
        @Max(100_000)
        @JsonPropertyDescription("Maximum number of replicas; at least minReplicas.")
        int maxReplicas,
    @Default("\"Shadow\"")
        @JsonPropertyDescription(
            "Shadow: forecasts, records in the status what it would do, and changes nothing."
                + " Active: also has an HPA scale the target; scaleThrough says whose.")
        Mode mode,
    @Default("\"PrescaleHPA\"")
        @JsonPropertyDescription(
            "Whose HPA scales the target in Active mode. PrescaleHPA: one that Prescale makes, or"
                + " the one of adopt. ExistingHPA: your own, which reads the metrics and which"
                + " Prescale only reads. KEDA: that of a ScaledObject with a trigger for this"
                + " resource, also only read. With the latter two, minReplicas, maxReplicas and"
                + " behavior of that HPA count as soon as it is there.")
        ScaleThrough scaleThrough,
    @Required
        @Size(min = 1, max = PredictiveHPAStatus.MOST_METRICS)
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
        @JsonPropertyDescription(
            "What is served while the demand is unknown, which is never zero, or while forecasts"
                + " are not followed.")
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
        @Nullable String adopt,
    @Size(max = 16)
        @ValidationRule(
            value = "self.all(s, self.exists_one(t, t.name == s.name))",
            message = "schedules uses a name twice; give each schedule a name of its own")
        @JsonPropertyDescription(
            "Floors and ceilings of the replicas by the clock. The highest floor of all schedules"
                + " in force counts, and the forecast where that asks for more; of ceilings the"
                + " lowest, but never below a floor.")
        List<ScheduleSpec> schedules,
    @JsonPropertyDescription(
            "Whether cards are kept for replicas that are forecast and do not exist yet. By default"
                + " they are not.")
        @Nullable BookingSpec booking,
    @JsonPropertyDescription(
            "Which pods a scale-in removes first. By default the ReplicaSet's own order.")
        @Nullable ScaleInSpec scaleIn) {

  public PredictiveHPASpec {
    Objects.requireNonNull(scaleTargetRef, "spec.scaleTargetRef is missing");
    minReplicas = minReplicas == null ? 1 : minReplicas;
    if (minReplicas < 0 || maxReplicas < Math.max(1, minReplicas)) {
      throw new IllegalArgumentException(
          "spec.minReplicas must be at least 0, spec.maxReplicas at least 1, and they must ascend: %d, %d"
              .formatted(minReplicas, maxReplicas));
    }
    mode = mode == null ? Mode.Shadow : mode;
    scaleThrough = scaleThrough == null ? ScaleThrough.PrescaleHPA : scaleThrough;
    metrics = metrics == null ? List.of() : List.copyOf(metrics);
    forecast = forecast == null ? ForecastSpec.defaults() : forecast;
    leadTime = leadTime == null ? "auto" : leadTime;
    schedules = schedules == null ? List.of() : List.copyOf(schedules);
    fallback = fallback == null ? FallbackSpec.defaults() : fallback;
  }

  /** Whether cards are to be kept ahead. */
  public boolean books() {
    return booking != null && booking.mode() == BookingMode.Book;
  }

  /** Whether the pods with the least work are to go first. */
  public boolean marksIdlestPods() {
    return scaleIn != null && scaleIn.podDeletionCost() == DeletionCost.WorkInFlight;
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
