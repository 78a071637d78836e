package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the controller observed, decided and serves. Only the leader writes it; every replica serves
 * from it.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PredictiveHPAStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Mode of the last decision.") @Nullable Mode mode,
    @Size(max = 320) @JsonPropertyDescription("Scaled workload, such as Deployment/chat.")
        @Nullable String target,
    @JsonPropertyDescription("Replicas of the target.") @Nullable Integer currentReplicas,
    @JsonPropertyDescription("Replicas with a ready pod.") @Nullable Integer readyReplicas,
    @JsonPropertyDescription("Replicas with a pod for which the scheduler has found no node.")
        @Nullable Integer unschedulableReplicas,
    @JsonPropertyDescription(
            "Replicas that the served values ask for, within minReplicas and maxReplicas.")
        @Nullable Integer desiredReplicas,
    @JsonPropertyDescription(
            "Lowest skill of all metrics: 1 minus the loss of the forecasts divided by that of the"
                + " better simple reference, the last season or the last value. 0 or less: no"
                + " better.")
        @Nullable Double skill,
    @JsonPropertyDescription("Lead time, its source and its parts.")
        @Nullable LeadTimeStatus leadTime,
    @Size(max = PredictiveHPAStatus.MOST_METRICS)
        @JsonPropertyDescription("Observation, forecast and served value of each metric.")
        List<MetricStatus> metrics,
    @JsonPropertyDescription("The newest decision from end to end.")
        @Nullable DecisionStatus lastDecision,
    @Size(max = 20) @JsonPropertyDescription("Recent decisions, newest first.")
        List<DecisionSummary> decisions,
    @Size(max = 8)
        @JsonPropertyDescription("Ready, MetricsAvailable, ForecastTrusted and ScalingActive.")
        List<StatusCondition> conditions,
    @JsonPropertyDescription("What is booked for replicas that are forecast.")
        @Nullable BookingStatus booking,
    @JsonPropertyDescription("Which pods the next scale-in removes first.")
        @Nullable ScaleInStatus scaleIn,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Cards, or parts of cards, that a replica asks for. Kept while there is no pod.")
        @Nullable String cardsPerReplica,
    @JsonPropertyDescription("The newest revision of the target's pods.")
        @Nullable RolloutStatus rollout) {
  /** Metrics of a spec, and of a status. */
  public static final int MOST_METRICS = 8;

  public PredictiveHPAStatus {
    metrics = metrics == null ? List.of() : List.copyOf(metrics);
    decisions = decisions == null ? List.of() : List.copyOf(decisions);
    conditions = conditions == null ? List.of() : List.copyOf(conditions);
  }

  /** This status with other ones of its metrics. */
  public PredictiveHPAStatus with(List<MetricStatus> others) {
    return with(others, lastDecision, decisions, booking, scaleIn);
  }

  /** This status with another booking, which has a writer of its own. */
  public PredictiveHPAStatus with(@Nullable BookingStatus other) {
    return with(metrics, lastDecision, decisions, other, scaleIn);
  }

  /** This status with the decisions of another one. */
  public PredictiveHPAStatus withDecisionsOf(PredictiveHPAStatus other) {
    return with(metrics, other.lastDecision, other.decisions, booking, scaleIn);
  }

  /** This status with what became of spec.scaleIn. */
  public PredictiveHPAStatus withScaleIn(@Nullable ScaleInStatus other) {
    return with(metrics, lastDecision, decisions, booking, other);
  }

  private PredictiveHPAStatus with(
      List<MetricStatus> otherMetrics,
      @Nullable DecisionStatus otherDecision,
      List<DecisionSummary> otherDecisions,
      @Nullable BookingStatus otherBooking,
      @Nullable ScaleInStatus otherScaleIn) {
    return new PredictiveHPAStatus(
        observedGeneration,
        mode,
        target,
        currentReplicas,
        readyReplicas,
        unschedulableReplicas,
        desiredReplicas,
        skill,
        leadTime,
        otherMetrics,
        otherDecision,
        otherDecisions,
        conditions,
        otherBooking,
        otherScaleIn,
        cardsPerReplica,
        rollout);
  }

  /** A status of nothing but a booking. */
  public static PredictiveHPAStatus only(@Nullable BookingStatus booking) {
    return new PredictiveHPAStatus(
        null, null, null, null, null, null, null, null, null, List.of(), null, List.of(), List.of(),
        booking, null, null, null);
  }
}
