package io.prescale.controller.kubernetes;

import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.BreakerStatus;
import io.prescale.controller.api.v1alpha1.CoverageStatus;
import io.prescale.controller.api.v1alpha1.DecisionStatus;
import io.prescale.controller.api.v1alpha1.DecisionSummary;
import io.prescale.controller.api.v1alpha1.ForecastPartsStatus;
import io.prescale.controller.api.v1alpha1.HpaOutcome;
import io.prescale.controller.api.v1alpha1.LeadTimeParts;
import io.prescale.controller.api.v1alpha1.LeadTimeSource;
import io.prescale.controller.api.v1alpha1.LeadTimeStatus;
import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.QuantilesStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.MetricResult;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ServedValue;
import io.prescale.controller.autoscaling.Trust;
import io.prescale.controller.kubernetes.Conditions.Finding;
import io.prescale.forecasting.online.ForecastParts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes what a tick decided into a status of bounded size. */
final class StatusBuilder {
  private static final int MOST_DECISIONS = 20;
  private static final int MOST_PLANNED = 30;
  private static final int LONGEST_REASON = 256;
  private static final int LONGEST_MESSAGE = 512;

  private final PredictiveHPA resource;
  private final Instant now;

  StatusBuilder(PredictiveHPA resource, Instant now) {
    this.resource = resource;
    this.now = now;
  }

  /** The status after a tick. */
  PredictiveHPAStatus after(CycleResult result, int currentReplicas, List<Finding> findings) {
    var decision = result.explanation().map(this::decision);
    return new PredictiveHPAStatus(
        resource.getMetadata().getGeneration(),
        resource.getSpec().mode(),
        resource.getSpec().scaleTargetRef().display(),
        currentReplicas,
        result.desiredReplicas().isPresent()
            ? (Integer) result.desiredReplicas().getAsInt()
            : before().map(PredictiveHPAStatus::desiredReplicas).orElse(null),
        skill(result),
        lead(result.lead()),
        result.metrics().stream().map(this::metric).toList(),
        decision.or(() -> before().map(PredictiveHPAStatus::lastDecision)).orElse(null),
        decisions(result, currentReplicas),
        conditions(findings));
  }

  /** The status when there was no tick: everything as before but for these conditions. */
  PredictiveHPAStatus with(List<Finding> findings) {
    var old = before();
    return new PredictiveHPAStatus(
        resource.getMetadata().getGeneration(),
        resource.getSpec().mode(),
        resource.getSpec().scaleTargetRef().display(),
        old.map(PredictiveHPAStatus::currentReplicas).orElse(null),
        old.map(PredictiveHPAStatus::desiredReplicas).orElse(null),
        old.map(PredictiveHPAStatus::skill).orElse(null),
        old.map(PredictiveHPAStatus::leadTime).orElse(null),
        old.map(PredictiveHPAStatus::metrics).orElse(List.of()),
        old.map(PredictiveHPAStatus::lastDecision).orElse(null),
        old.map(PredictiveHPAStatus::decisions).orElse(List.of()),
        conditions(findings));
  }

  private Optional<PredictiveHPAStatus> before() {
    return Optional.ofNullable(resource.getStatus());
  }

  /** New findings replace those of their type; others stay. */
  private List<StatusCondition> conditions(List<Finding> findings) {
    var old = before().map(PredictiveHPAStatus::conditions).orElse(List.of());
    var kept =
        old.stream()
            .filter(
                condition ->
                    findings.stream().noneMatch(finding -> finding.type() == condition.type()));
    var found =
        findings.stream()
            .map(
                finding ->
                    Conditions.dated(finding, old, resource.getMetadata().getGeneration(), now));
    return Stream.concat(found, kept).sorted((a, b) -> a.type().compareTo(b.type())).toList();
  }

  private static @Nullable Double skill(CycleResult result) {
    return result.metrics().stream()
        .map(metric -> metric.trust().skill())
        .filter(OptionalDouble::isPresent)
        .map(OptionalDouble::getAsDouble)
        .min(Double::compare)
        .map(StatusBuilder::rounded)
        .orElse(null);
  }

  private MetricStatus metric(MetricResult metric) {
    var old = oldMetric(metric.name());
    var served = metric.served();
    return new MetricStatus(
        metric.name(),
        averageValue(metric.name()),
        Amount.textOrNull(metric.observed()),
        metric.forecast().map(forecast -> Amount.textOrNull(forecast.p95())).orElse(null),
        served
            .map(value -> Amount.text(value.value()))
            .or(() -> old.map(MetricStatus::served))
            .orElse(null),
        served.map(ServedValue::computedAt).or(() -> old.map(MetricStatus::servedAt)).orElse(null),
        served
            .map(value -> value.freshFor().toSeconds())
            .or(() -> old.map(MetricStatus::freshSeconds))
            .orElse(null),
        served
            .map(value -> value.timeToLive().toSeconds())
            .or(() -> old.map(MetricStatus::ttlSeconds))
            .orElse(null),
        served
            .map(value -> Amount.text(value.floor()))
            .or(() -> old.map(MetricStatus::floor))
            .orElse(null),
        metric.forecast().map(StatusBuilder::quantiles).orElse(null),
        served.map(StatusBuilder::plan).or(() -> old.map(MetricStatus::plan)).orElse(List.of()),
        metric.trust().skill().isPresent()
            ? (Double) rounded(metric.trust().skill().getAsDouble())
            : null,
        coverage(metric.trust()),
        breaker(metric.trust()),
        metric.modelFittedAt().orElse(null),
        metric.forecast().map(forecast -> parts(forecast.parts())).orElse(null),
        metric
            .missing()
            .map(Reading.Missing::message)
            .map(text -> StatusText.cut(text, LONGEST_MESSAGE))
            .orElse(null));
  }

  private Optional<MetricStatus> oldMetric(String name) {
    return before().map(PredictiveHPAStatus::metrics).orElse(List.of()).stream()
        .filter(metric -> metric.name().equals(name))
        .findFirst();
  }

  private @Nullable String averageValue(String name) {
    return resource.getSpec().forecastMetrics().stream()
        .filter(metric -> metric.name().equals(name))
        .findFirst()
        .map(MetricEntry::averageValue)
        .map(Objects::toString)
        .orElse(null);
  }

  private static QuantilesStatus quantiles(ForecastSummary forecast) {
    return new QuantilesStatus(
        Amount.textOrNull(forecast.p50()),
        Amount.textOrNull(forecast.p90()),
        Amount.textOrNull(forecast.p95()),
        Amount.textOrNull(forecast.p99()));
  }

  private static List<PlanPoint> plan(ServedValue served) {
    return served.plan().stream()
        .limit(MOST_PLANNED)
        .map(planned -> new PlanPoint(planned.at(), Amount.text(planned.value())))
        .toList();
  }

  private static @Nullable CoverageStatus coverage(Trust trust) {
    return trust.samples() == 0
        ? null
        : new CoverageStatus(
            roundedOrNull(trust.coverage90()),
            roundedOrNull(trust.coverage95()),
            (long) trust.samples());
  }

  private static BreakerStatus breaker(Trust trust) {
    var state =
        switch (trust.state()) {
          case CLOSED -> BreakerState.Closed;
          case OPEN -> BreakerState.Open;
          case LEARNING -> BreakerState.Learning;
        };
    return new BreakerStatus(state, StatusText.cut(trust.message(), LONGEST_REASON));
  }

  private static ForecastPartsStatus parts(ForecastParts parts) {
    return new ForecastPartsStatus(
        Amount.textOrNull(parts.level()),
        Amount.textOrNull(parts.season()),
        null,
        Amount.textOrNull(parts.event()),
        Amount.textOrNull(parts.correction()),
        Amount.textOrNull(parts.calibration()));
  }

  private static LeadTimeStatus lead(LeadTime lead) {
    var source =
        switch (lead.source()) {
          case MEASURED -> LeadTimeSource.Measured;
          case DEFAULT -> LeadTimeSource.Default;
          case DECLARED -> LeadTimeSource.Declared;
        };
    return new LeadTimeStatus(
        lead.total().toSeconds(),
        source,
        lead.samples(),
        lead.observedAt().orElse(null),
        source == LeadTimeSource.Declared ? null : parts(lead.parts()));
  }

  private static LeadTimeParts parts(LeadTime.Parts parts) {
    return new LeadTimeParts(
        seconds(parts.decision()),
        seconds(parts.schedule()),
        seconds(parts.pull()),
        seconds(parts.ready()),
        seconds(parts.hpa()),
        seconds(parts.scrape()));
  }

  private DecisionStatus decision(Explanation it) {
    return new DecisionStatus(
        it.at(),
        it.metric(),
        Amount.textOrNull(it.observed()),
        it.forecast().map(forecast -> Amount.textOrNull(forecast.p50())).orElse(null),
        Amount.textOrNull(it.riskUplift()),
        it.lead().total().toSeconds(),
        Amount.textOrNull(it.served()),
        it.desiredReplicas(),
        StatusText.reason(it.reason()),
        StatusText.cut(String.join(" ", it.sentences()), LONGEST_MESSAGE),
        new HpaOutcome(
            it.hpa().wanted(),
            StatusText.reason(it.hpa().gate()),
            StatusText.cut(it.hpa().message(), LONGEST_MESSAGE)));
  }

  /** Only what differs from the decision before is remembered: it was in force until then. */
  private List<DecisionSummary> decisions(CycleResult result, int currentReplicas) {
    var old = before().map(PredictiveHPAStatus::decisions).orElse(List.of());
    if (result.explanation().isEmpty()) {
      return old;
    }
    var summary = summary(result.explanation().get(), currentReplicas);
    if (!old.isEmpty() && sameAs(old.getFirst(), summary)) {
      return old;
    }
    var all = new ArrayList<DecisionSummary>(MOST_DECISIONS);
    all.add(summary);
    all.addAll(old.subList(0, Math.min(old.size(), MOST_DECISIONS - 1)));
    return all;
  }

  private static DecisionSummary summary(Explanation it, int currentReplicas) {
    return new DecisionSummary(
        it.at(),
        it.metric(),
        Amount.textOrNull(it.observed()),
        it.forecast().map(forecast -> Amount.textOrNull(forecast.p50())).orElse(null),
        Amount.textOrNull(it.served()),
        it.lead().total().toSeconds(),
        currentReplicas,
        it.desiredReplicas(),
        StatusText.reason(it.reason()),
        StatusText.reason(it.hpa().gate()));
  }

  private static boolean sameAs(DecisionSummary before, DecisionSummary now) {
    return Objects.equals(before.metric(), now.metric())
        && Objects.equals(before.desiredReplicas(), now.desiredReplicas())
        && Objects.equals(before.currentReplicas(), now.currentReplicas())
        && Objects.equals(before.reason(), now.reason())
        && Objects.equals(before.gate(), now.gate());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static @Nullable Double roundedOrNull(OptionalDouble value) {
    return value.isPresent() ? (Double) rounded(value.getAsDouble()) : null;
  }

  /** Three digits tell all that a skill or a coverage means. */
  private static double rounded(double value) {
    return Double.isFinite(value) ? Math.rint(value * 1000) / 1000 : 0;
  }
}
