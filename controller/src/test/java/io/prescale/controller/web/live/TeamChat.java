package io.prescale.controller.web.live;

import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.BreakerStatus;
import io.prescale.controller.api.v1alpha1.CoverageStatus;
import io.prescale.controller.api.v1alpha1.DecisionStatus;
import io.prescale.controller.api.v1alpha1.ForecastPartsStatus;
import io.prescale.controller.api.v1alpha1.HpaOutcome;
import io.prescale.controller.api.v1alpha1.LeadTimeParts;
import io.prescale.controller.api.v1alpha1.LeadTimeSource;
import io.prescale.controller.api.v1alpha1.LeadTimeStatus;
import io.prescale.controller.api.v1alpha1.LeadingStatus;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.MissedBudgetStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.QuantilesStatus;
import io.prescale.controller.api.v1alpha1.RolloutStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.Specs;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code team/chat}, 1 to 9 replicas of 4 requests each, and statuses of it. */
final class TeamChat {
  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private TeamChat() {}

  static PredictiveHPA undecided(StatusCondition... conditions) {
    var resource = new PredictiveHPA();
    resource.getMetadata().setNamespace("team");
    resource.getMetadata().setName("chat");
    resource.setSpec(
        Specs.of(
            new ScaleTargetRef("apps/v1", "Deployment", "chat"),
            1,
            9,
            Mode.Active,
            List.of(Specs.query("requests", "sum(requests)", "4"))));
    if (conditions.length > 0) {
      resource.setStatus(status(List.of(), null, null, List.of(conditions)));
    }
    return resource;
  }

  /** A decision at a time, for the observed number of requests and 3 ready replicas. */
  static PredictiveHPA decided(Instant at, String observed) {
    return decided(at, metric("requests", observed, null));
  }

  /** A decision by the first of several metrics. */
  static PredictiveHPA decided(Instant at, MetricStatus metric, MetricStatus... others) {
    var resource = undecided();
    var decision =
        new DecisionStatus(
            at,
            metric.name(),
            metric.observed(),
            "12",
            "-500m",
            0.004,
            150L,
            metric.served(),
            4,
            "NeverBelowObserved",
            null,
            null,
            null,
            new MissedBudgetStatus(0.005, 0.011, 1.4),
            "cut off…",
            new HpaOutcome(4, "NotReadYet", "The HPA has not read it yet."));
    var metrics = Stream.concat(Stream.of(metric), Stream.of(others)).toList();
    resource.setStatus(status(metrics, decision, lead(), List.of()));
    return resource;
  }

  /** The same, with conditions and a rollout. */
  static PredictiveHPA decided(
      Instant at, @Nullable RolloutStatus rollout, StatusCondition... conditions) {
    var resource = decided(at, "13");
    var status = resource.getStatus();
    resource.setStatus(
        status(
            status.metrics(),
            status.lastDecision(),
            status.leadTime(),
            List.of(conditions),
            rollout));
    return resource;
  }

  /** The same with a node for every replica. */
  static PredictiveHPA placed(PredictiveHPA resource) {
    var it = resource.getStatus();
    resource.setStatus(
        status(it.metrics(), it.lastDecision(), it.leadTime(), it.conditions(), it.rollout(), 0));
    return resource;
  }

  /** The same in Shadow mode. */
  static PredictiveHPA inShadow(PredictiveHPA resource) {
    var spec = resource.getSpec();
    resource.setSpec(
        Specs.of(
            spec.scaleTargetRef(),
            spec.minReplicas(),
            spec.maxReplicas(),
            Mode.Shadow,
            spec.metrics()));
    return resource;
  }

  static MetricStatus metric(
      String name, String observed, @Nullable String lastError, PlanPoint... plan) {
    return new MetricStatus(
        name,
        "4",
        observed,
        "15",
        "16",
        NOON,
        120L,
        900L,
        observed,
        new QuantilesStatus("12", "14", "15", "18"),
        List.of(plan),
        0.3,
        0.12,
        new CoverageStatus(0.9, 0.94, 40L),
        new BreakerStatus(BreakerState.Closed, "Forecasts are acted on."),
        NOON,
        new ForecastPartsStatus(
            "11", "-2500m", "0", "3500m", "250m", null, List.of(new LeadingStatus("gateway", 720))),
        lastError);
  }

  private static LeadTimeStatus lead() {
    return new LeadTimeStatus(
        150, LeadTimeSource.Measured, 7, NOON, new LeadTimeParts(5.0, 1.0, 30.0, 90.0, 4.0, 20.0));
  }

  private static PredictiveHPAStatus status(
      List<MetricStatus> metrics,
      @Nullable DecisionStatus decision,
      @Nullable LeadTimeStatus lead,
      List<StatusCondition> conditions) {
    return status(metrics, decision, lead, conditions, null);
  }

  private static PredictiveHPAStatus status(
      List<MetricStatus> metrics,
      @Nullable DecisionStatus decision,
      @Nullable LeadTimeStatus lead,
      List<StatusCondition> conditions,
      @Nullable RolloutStatus rollout) {
    return status(metrics, decision, lead, conditions, rollout, 1);
  }

  private static PredictiveHPAStatus status(
      List<MetricStatus> metrics,
      @Nullable DecisionStatus decision,
      @Nullable LeadTimeStatus lead,
      List<StatusCondition> conditions,
      @Nullable RolloutStatus rollout,
      int unplaced) {
    return new PredictiveHPAStatus(
        1L,
        Mode.Active,
        "Deployment/chat",
        4,
        3,
        unplaced,
        4,
        0.3,
        lead,
        metrics,
        decision,
        List.of(),
        conditions,
        null,
        null,
        "2",
        rollout);
  }
}
