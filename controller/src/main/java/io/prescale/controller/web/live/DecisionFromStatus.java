package io.prescale.controller.web.live;

import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.DecisionStatus;
import io.prescale.controller.api.v1alpha1.ForecastPartsStatus;
import io.prescale.controller.api.v1alpha1.HpaOutcome;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.autoscaling.Activity;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.autoscaling.HpaVerdict;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.MissedBudget;
import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.controller.operator.LeadTimeFromStatus;
import io.prescale.controller.operator.SpecReader;
import io.prescale.controller.operator.status.StatusText;
import io.prescale.controller.serving.StatusProjection;
import io.prescale.controller.web.ServedNow;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.ForecastParts;
import io.prescale.forecasting.online.ForecastParts.Leading;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Restores the newest decision of the control loop from a status. */
record DecisionFromStatus(
    PredictiveHPA resource, DecisionStatus decision, MetricStatus metric, LeadTime lead) {
  private static final int QUANTILES = 4;

  /** The newest decision; empty before the first, or when the status is incomplete. */
  static Optional<Explanation> of(PredictiveHPA resource) {
    var status = resource.getStatus();
    if (resource.unreadable().isPresent()
        || status == null
        || status.lastDecision() == null
        || status.leadTime() == null) {
      return Optional.empty();
    }
    var decision = status.lastDecision();
    var lead = LeadTimeFromStatus.of(status.leadTime());
    return metric(status, decision.metric())
        .flatMap(metric -> new DecisionFromStatus(resource, decision, metric, lead).explanation());
  }

  /** The metric with this name, or the first one when no name is given. */
  static Optional<MetricStatus> metric(PredictiveHPAStatus status, @Nullable String name) {
    return status.metrics().stream()
        .filter(it -> name == null || it.name().equals(name))
        .findFirst();
  }

  /** All metrics at the newest decision; empty before the first. */
  static List<WatchedMetric> metrics(PredictiveHPA resource) {
    var status = resource.getStatus();
    if (resource.unreadable().isPresent()
        || status == null
        || status.lastDecision() == null
        || status.leadTime() == null) {
      return List.of();
    }
    var lead = LeadTimeFromStatus.of(status.leadTime());
    return status.metrics().stream()
        .flatMap(
            metric ->
                new DecisionFromStatus(resource, status.lastDecision(), metric, lead)
                    .watched().stream())
        .toList();
  }

  private Optional<WatchedMetric> watched() {
    var capacity = capacityPerReplica();
    return capacity.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new WatchedMetric(
                metric.name(), observed(metric), forecast(), served(), capacity.getAsDouble()));
  }

  /** The demand of the newest step; empty when it is not read, for then it is an older step's. */
  static OptionalDouble observed(MetricStatus metric) {
    return metric.lastError() == null ? Amount.value(metric.observed()) : OptionalDouble.empty();
  }

  /** What the API answered at the decision. */
  private OptionalDouble served() {
    var model = new MetricReadModel();
    StatusProjection.publish(model, resource);
    var key = StatusProjection.key(resource, metric.name());
    return ServedNow.to(model, key, "", decision.at()).value();
  }

  private OptionalDouble capacityPerReplica() {
    return Amount.value(metric.averageValue()).stream().filter(it -> it > 0).findAny();
  }

  private Optional<Explanation> explanation() {
    var observed = Amount.value(decision.observed());
    var served = Amount.value(decision.served());
    var capacity = capacityPerReplica();
    return observed.isEmpty() || served.isEmpty() || capacity.isEmpty()
        ? Optional.empty()
        : Optional.of(
            explanation(observed.getAsDouble(), served.getAsDouble(), capacity.getAsDouble()));
  }

  private Explanation explanation(double observed, double served, double capacity) {
    return new Explanation(
        decision.at(),
        metric.name(),
        observed,
        forecast(),
        StatusText.constant(ScalingDecision.Reason.class, decision.reason())
            .orElse(ScalingDecision.Reason.NOTHING_KNOWN),
        Optional.ofNullable(decision.schedule()),
        orZero(decision.riskUplift()),
        Stream.ofNullable(decision.shortageProbability()).mapToDouble(it -> it).findAny(),
        lead,
        served,
        capacity,
        Objects.requireNonNullElse(decision.desiredReplicas(), 0),
        verdict(),
        missedBudget(),
        activity());
  }

  /** A status is not trusted: one that is no budget is none. */
  private Optional<MissedBudget> missedBudget() {
    var it = decision.missedBudget();
    if (it == null || it.budget() == null || it.shortShare() == null) {
      return Optional.empty();
    }
    var times = Stream.ofNullable(it.timesReplicas()).mapToDouble(each -> each).findAny();
    return MissedBudget.isPossible(it.budget(), it.shortShare(), times)
        ? Optional.of(new MissedBudget(it.budget(), it.shortShare(), times))
        : Optional.empty();
  }

  private Optional<Activity> activity() {
    var probability =
        Stream.ofNullable(decision.demandProbability())
            .mapToDouble(it -> it)
            .filter(it -> it >= 0 && it <= 1) // a status is not trusted
            .findAny();
    return StatusText.constant(Activity.Cause.class, decision.activity())
        .map(cause -> new Activity(cause, probability));
  }

  /** A part of which a status says nothing adds nothing. */
  private static double orZero(@Nullable String amount) {
    return Amount.value(amount).orElse(0);
  }

  /** The forecast; empty when a quantile is missing. */
  private Optional<ForecastSummary> forecast() {
    return Optional.ofNullable(metric.quantiles())
        .map(
            it ->
                Stream.of(it.p50(), it.p90(), it.p95(), it.p99())
                    .flatMapToDouble(text -> Amount.value(text).stream())
                    .toArray())
        .filter(quantiles -> quantiles.length == QUANTILES)
        .map(this::forecast);
  }

  /** Forecasts begin at the end of the newest completed step. */
  private ForecastSummary forecast(double[] quantiles) {
    var spec = resource.getSpec();
    return new ForecastSummary(
        TimeSeries.stepBegin(decision.at(), spec.forecast().stepLength()),
        lead.total(),
        SpecReader.window(spec.forecast()),
        quantiles[0],
        quantiles[1],
        quantiles[2],
        quantiles[3],
        parts(metric.parts()));
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(Math.clamp(seconds, 0, ForecastSettings.LONGEST_LEAD.toSeconds()));
  }

  private static ForecastParts parts(@Nullable ForecastPartsStatus parts) {
    return parts == null
        ? new ForecastParts(0, 0, 0, 0, 0, List.of())
        : new ForecastParts(
            orZero(parts.level()),
            orZero(parts.season()),
            orZero(parts.correction()),
            orZero(parts.event()),
            orZero(parts.calibration()),
            List.of(),
            parts.relatives() == null ? 0 : Math.max(0, parts.relatives()),
            parts.leading().stream()
                .map(it -> new Leading(it.name(), seconds(it.lagSeconds())))
                .toList());
  }

  private HpaVerdict verdict() {
    HpaOutcome hpa = decision.hpa();
    return hpa == null
        ? new HpaVerdict(0, HpaVerdict.Gate.NOT_READ_YET, "")
        : new HpaVerdict(
            Objects.requireNonNullElse(hpa.wanted(), 0),
            StatusText.constant(HpaVerdict.Gate.class, hpa.gate())
                .orElse(HpaVerdict.Gate.NOT_READ_YET),
            Objects.requireNonNullElse(hpa.message(), ""));
  }
}
