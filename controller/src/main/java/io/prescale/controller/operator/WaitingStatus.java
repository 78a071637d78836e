package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.DecisionStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * When the status of a target was written last, and the one that has waited for its turn since. Not
 * thread-safe.
 */
final class WaitingStatus {
  private Instant writtenAt = Instant.EPOCH;
  private Optional<PredictiveHPAStatus> waiting = Optional.empty();

  void written(Instant now) {
    writtenAt = now;
    waiting = Optional.empty();
  }

  void waits(PredictiveHPAStatus status) {
    waiting = Optional.of(status);
  }

  /** Keeps what waits of another target. */
  void goOnFrom(WaitingStatus before) {
    waiting = before.waiting;
  }

  /**
   * The resource with the decisions of the status that waits, so that they are not lost to the next
   * one. What another replica wrote of later decisions stands.
   */
  PredictiveHPA on(PredictiveHPA resource) {
    var status = Objects.requireNonNullElse(resource.getStatus(), PredictiveHPAStatus.only(null));
    return waiting
        .filter(it -> decidedAt(it).isAfter(decidedAt(status)))
        .map(it -> resource.with(status.withDecisionsOf(it)))
        .orElse(resource);
  }

  private static Instant decidedAt(PredictiveHPAStatus status) {
    return Optional.ofNullable(status.lastDecision()).map(DecisionStatus::at).orElse(Instant.MIN);
  }

  /** Whether one is due without news, at the tick that is nearest to when it is. */
  boolean isDue(Duration every, Duration step, Instant now) {
    return !writtenAt.plus(every).minus(step.dividedBy(2)).isAfter(now);
  }
}
