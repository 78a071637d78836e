package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.prescale.controller.operator.hpa.HpaPlan.Reason;
import io.prescale.controller.operator.hpa.HpaPlan.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notices that another tool, such as a GitOps controller whose manifest has {@code spec.replicas},
 * keeps writing the replicas of a workload: at least three times within an hour, its HPA finds
 * other replicas than it had asked for, and scales back. (It need not ask for the same number
 * again: its policies may hold it back.)
 */
public final class ReplicaContest {
  private static final int LEAST_CORRECTIONS = 3;
  private static final Duration WITHIN = Duration.ofHours(1);

  private final RecentTimes corrections = new RecentTimes(WITHIN);
  private @Nullable Scaling last;
  private String message = "";

  private record Scaling(String hpa, String target, String at, int found, int asked) {
    /** Whether it took back, at least in part, what became of the replicas since an earlier one. */
    boolean undoesWhatFollowed(Scaling earlier) {
      return hpa.equals(earlier.hpa())
          && target.equals(earlier.target())
          && Integer.signum(found - earlier.asked()) * Integer.signum(asked - found) < 0;
    }
  }

  /** Takes in what the HPA says that it did last. */
  public void observe(HorizontalPodAutoscaler hpa, Instant now) {
    var status = hpa.getStatus();
    if (status == null || status.getLastScaleTime() == null) {
      return;
    }
    var scaling =
        new Scaling(
            hpa.getMetadata().getName(),
            TargetReference.text(hpa.getSpec().getScaleTargetRef()),
            status.getLastScaleTime(),
            Objects.requireNonNullElse(status.getCurrentReplicas(), 0),
            Objects.requireNonNullElse(status.getDesiredReplicas(), 0));
    var before = last;
    if (before != null && before.at().equals(scaling.at())) {
      return;
    }
    last = scaling;
    if (before != null && scaling.undoesWhatFollowed(before)) {
      corrections.add(now);
      message =
          "HorizontalPodAutoscaler %s found other replicas of %s than it had asked for, at last %d instead of %d."
              .formatted(scaling.hpa(), scaling.target(), scaling.found(), before.asked());
    }
  }

  /** Why the HPA's replicas do not last; empty while they do. */
  public Optional<Refusal> refusal(Instant now) {
    int count = corrections.count(now);
    return count < LEAST_CORRECTIONS
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Reason.REPLICAS_CONTESTED,
                "Another tool sets the replicas: %d times within an hour, %s Remove spec.replicas from the manifest in Git, or have the tool ignore it; metadata.managedFields of the workload name the tool."
                    .formatted(count, message)));
  }
}
