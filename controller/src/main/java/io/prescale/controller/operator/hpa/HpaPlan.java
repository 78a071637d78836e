package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import java.util.List;
import java.util.Optional;

/**
 * What to do about the HPAs of one PredictiveHPA.
 *
 * @param steps in this order; empty when everything is as wanted
 * @param refusal why no HPA acts on our metrics although one is wanted
 */
public record HpaPlan(List<Step> steps, Optional<Refusal> refusal) {
  public HpaPlan {
    steps = List.copyOf(steps);
  }

  /** One write. */
  public sealed interface Step {}

  /**
   * Apply these fields, server-side.
   *
   * @param seen the version of the HPA for which this was planned: a later one is not to be
   *     changed, as another leader may have written it; empty while there is none
   */
  public record Apply(HorizontalPodAutoscaler desired, Optional<String> seen) implements Step {}

  /** Delete an HPA that Prescale made. */
  public record Delete(HorizontalPodAutoscaler ours) implements Step {}

  /**
   * Give an adopted HPA its own rules back, which are read of it at that moment.
   *
   * @param predictiveHpa that adopted it
   */
  public record Restore(HorizontalPodAutoscaler adopted, String predictiveHpa) implements Step {}

  /** Why no HPA is written, with a sentence that names the remedy. */
  public record Refusal(Reason reason, String message) {}

  /** Reasons of the condition {@code ScalingActive} that come from other HPAs. */
  public enum Reason {
    /** {@code spec.adopt} names an HPA that is not there. */
    ADOPTED_HPA_MISSING,
    /** The HPA to adopt scales something else. */
    ADOPTED_HPA_HAS_OTHER_TARGET,
    /** The HPA to adopt is owned by a controller that would restore its own rules. */
    HPA_OWNED_BY_OTHERS,
    /** Another HPA scales the same workload; Kubernetes would obey neither. */
    TARGET_HAS_OTHER_HPA,
    /** An HPA that is not ours has the name of ours. */
    HPA_NAME_TAKEN,
    /** The rules of the HPA to write are not known: it is too large, or cannot be read. */
    HPA_UNKNOWN,
    /** The user's or KEDA's HPA that should read our metrics is not there, or reads others. */
    HPA_NOT_READING,
    /** The cluster's external metrics are not Prescale's, so that no HPA would be answered. */
    METRICS_SERVED_BY_OTHERS,
    /** Another tool keeps writing the fields of the HPA. */
    HPA_CONTESTED,
    /** Another tool keeps writing the replicas of the workload. */
    REPLICAS_CONTESTED
  }
}
