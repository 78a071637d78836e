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
 * Reports what was decided: the served values at once, for all replicas; a status at once when it
 * has news, and otherwise when it is its turn, so that the writes without news do not grow with the
 * number of PredictiveHPAs; forecasters after their refits, for the next leader.
 *
 * @param targets all, whose forecasters are saved
 */
record Reports(StatusWriter statuses, ValuePublisher values, LiveTargets targets) {
  /** Statuses without news are written one after the other, five a second. */
  private static final Duration BETWEEN_TURNS = Duration.ofMillis(200);

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

  /** Without new values. */
  void betweenTicks(
      PredictiveHPA resource,
      PredictiveHPAStatus status,
      LiveTarget target,
      Context<PredictiveHPA> context,
      Instant now) {
    if (StatusNews.between(resource.getStatus(), status)
        || !values.reaches(resource)
        || target.isReportDue(BETWEEN_TURNS.multipliedBy(targets.estimatedTotal()), now)) {
      if (statuses.write(resource, status, context, now)) {
        target.reported(now);
      }
    }
  }
}
