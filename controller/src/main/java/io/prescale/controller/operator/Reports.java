package io.prescale.controller.operator;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.operator.status.StatusNews;
import io.prescale.controller.operator.status.StatusWriter;
import io.prescale.controller.values.ValuePublisher;
import java.time.Duration;
import java.time.Instant;

/**
 * Reports what was decided: the served values at once, for all replicas; a status when it has news,
 * and otherwise by and by, so that the writes without news do not grow with the number of
 * PredictiveHPAs; forecasters after their fits, for the next leader.
 *
 * @param targets all, whose forecasters are saved
 */
record Reports(StatusWriter statuses, ValuePublisher values, LiveTargets targets) {
  /** Statuses without news are written one after the other, five a second. */
  private static final Duration BETWEEN_STATUSES = Duration.ofMillis(200);

  void afterTick(
      PredictiveHPA resource,
      PredictiveHPAStatus status,
      LiveTarget target,
      Context<PredictiveHPA> context,
      Instant now) {
    values.publish(resource, status);
    targets.save(resource, target, now);
    betweenTicks(resource, status, target, context, now);
  }

  /** Without new values. Where those of the tick reach no replica, the status serves them. */
  void betweenTicks(
      PredictiveHPA resource,
      PredictiveHPAStatus status,
      LiveTarget target,
      Context<PredictiveHPA> context,
      Instant now) {
    boolean isWritten =
        values.reaches(resource)
            ? isDue(resource, status, target, now) && statuses.write(resource, status, context, now)
            : statuses.writeAtOnce(resource, status, context, now);
    if (isWritten) {
      target.reported(now);
    }
  }

  private boolean isDue(
      PredictiveHPA resource, PredictiveHPAStatus status, LiveTarget target, Instant now) {
    return StatusNews.between(resource.getStatus(), status)
        || target.isReportDue(BETWEEN_STATUSES.multipliedBy(targets.estimatedTotal()), now);
  }
}
