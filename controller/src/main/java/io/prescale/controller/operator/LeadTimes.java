package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.api.v1alpha1.LeadTimeSource;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.LeadTimeEstimator;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.ServedValue;
import io.prescale.controller.autoscaling.TargetSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The lead time of one workload: declared by its owner, or measured on its scale-ups. */
final class LeadTimes {
  /** Before the first measurement: how long a model of some gigabytes takes on a warm node. */
  private static final Duration DEFAULT_START = Duration.ofMinutes(2);

  private final Optional<Duration> declared;
  private final ScaleTargetRef workload;
  private final LeadTimeEstimator estimator;
  private final PodTimeline timeline;
  private boolean isFollowed = true;
  private int wanted = Integer.MAX_VALUE;

  private LeadTimes(PredictiveHPA resource, LeadTimeEstimator estimator, PodTimeline timeline) {
    this.declared = resource.getSpec().declaredLeadTime();
    this.workload = resource.getSpec().scaleTargetRef();
    this.estimator = estimator;
    this.timeline = timeline;
  }

  /** Before its own measurements, by those of earlier, if there are any. */
  private LeadTimes(PredictiveHPA resource, Optional<LeadTime> earlier) {
    this(resource, new LeadTimeEstimator(DEFAULT_START, earlier), new PodTimeline());
  }

  /**
   * After an edit, which may declare another lead time, or none. Of another workload nothing was
   * measured.
   */
  LeadTimes after(PredictiveHPA edited) {
    boolean isSame = workload.equals(edited.getSpec().scaleTargetRef());
    return isSame
        ? new LeadTimes(edited, estimator, timeline)
        : new LeadTimes(edited, Optional.empty());
  }

  /** Whether a resource declares the same lead time, or none either, of the same workload. */
  boolean areOf(PredictiveHPA resource) {
    return declared.equals(resource.getSpec().declaredLeadTime())
        && workload.equals(resource.getSpec().scaleTargetRef());
  }

  /** Continues from what the resource's status remembers. */
  static LeadTimes of(PredictiveHPA resource) {
    var status = resource.getStatus();
    var earlier =
        Optional.ofNullable(status == null ? null : status.leadTime())
            .filter(lead -> lead.source() == LeadTimeSource.Measured && lead.parts() != null)
            .map(LeadTimeFromStatus::of);
    return new LeadTimes(resource, earlier);
  }

  /** Looks at all pods of a workload that is to have so many. */
  void observe(List<Pod> pods, int wantedReplicas, Instant now) {
    if (!isFollowed && wantedReplicas != wanted) {
      timeline.decidedByOthers(wantedReplicas > wanted, now);
    }
    wanted = wantedReplicas;
    timeline.observe(pods, now).forEach(estimator::observe);
  }

  /**
   * Takes in a decision. It begins a scale-up if an HPA acts by it: what is decided in Shadow mode,
   * or lies within the HPA's tolerance, starts no pods.
   *
   * @param state by which it was made
   */
  void decided(CycleResult result, ReplicaState state, TargetSettings settings, Instant now) {
    if (result.desiredReplicas().isEmpty()) {
      return;
    }
    isFollowed = result.metrics().stream().anyMatch(it -> state.isScaledBy(it.name()));
    boolean begins =
        settings.metrics().stream()
            .filter(metric -> state.isScaledBy(metric.name()))
            .anyMatch(metric -> asksForMore(result, metric, state.current(), settings.hpa()));
    timeline.decided(begins, now);
  }

  private static boolean asksForMore(
      CycleResult result, MetricSettings metric, int current, HpaRules hpa) {
    return result.metrics().stream()
        .filter(it -> it.name().equals(metric.name()))
        .flatMap(it -> it.served().stream())
        .mapToDouble(ServedValue::value)
        .anyMatch(value -> hpa.asksForMore(value, metric.capacityPerReplica(), current));
  }

  LeadTime estimate(HpaRules hpa, int currentReplicas, Duration scrapeLag) {
    return declared
        .map(LeadTime::declared)
        .orElseGet(() -> estimator.estimate(hpa, currentReplicas, scrapeLag));
  }
}
