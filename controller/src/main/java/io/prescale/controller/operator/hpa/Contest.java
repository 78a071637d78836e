package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.prescale.controller.operator.hpa.HpaPlan.Apply;
import io.prescale.controller.operator.hpa.HpaPlan.Reason;
import io.prescale.controller.operator.hpa.HpaPlan.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notices that another tool, such as a GitOps controller, keeps writing the same HPA, and stops
 * contesting it: the same fields are applied at most five times within ten minutes.
 */
public final class Contest {
  private static final int MOST_APPLIES = 5;
  private static final Duration WITHIN = Duration.ofMinutes(10);

  private final RecentTimes applies = new RecentTimes(WITHIN);
  private @Nullable HorizontalPodAutoscaler applied;

  /** Whether to apply this now. */
  public boolean mayApply(Apply step, Instant now) {
    return applies.count(now) < MOST_APPLIES || !step.desired().equals(applied);
  }

  /** Counts a step that was applied; an attempt that failed does not count. */
  public void applied(Apply step, Instant now) {
    if (!step.desired().equals(applied)) { // the user changed what is wanted
      applies.clear();
      applied = step.desired();
    }
    applies.add(now);
  }

  /** Why the HPA is left as it is; empty while it is not contested. */
  public Optional<Refusal> refusal(Instant now) {
    var hpa = applied;
    if (hpa == null || applies.count(now) < MOST_APPLIES) {
      return Optional.empty();
    }
    return Optional.of(
        new Refusal(
            Reason.HPA_CONTESTED,
            "Another tool keeps changing HorizontalPodAutoscaler %s; its metadata.managedFields name that tool. Remove the HPA from it, or from spec.adopt."
                .formatted(hpa.getMetadata().getName())));
  }
}
