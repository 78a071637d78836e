package io.prescale.controller.operator;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.operator.status.StatusNews;
import io.prescale.controller.operator.status.StatusWriter;
import io.prescale.controller.values.ValuePublisher;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reports what was decided: the served values at once, for all replicas; a status at once when it
 * has news, and otherwise when it is its turn, so that the writes without news do not grow with the
 * number of PredictiveHPAs; forecasters after their fits, for the next leader.
 *
 * @param targets all, whose forecasters are saved
 * @param outages turns of what is only news of a Prometheus
 */
record Reports(
    StatusWriter statuses, ValuePublisher values, LiveTargets targets, OutageTurns outages) {
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
    if (hasNews(resource.getStatus(), status, now)
        || !values.reaches(resource)
        || target.isReportDue(BETWEEN_TURNS.multipliedBy(targets.estimatedTotal()), now)) {
      if (statuses.write(resource, status, context, now)) {
        target.reported(now);
      }
    }
  }

  private boolean hasNews(
      @Nullable PredictiveHPAStatus before, PredictiveHPAStatus status, Instant now) {
    return StatusNews.between(before, status)
        && (!StatusNews.isOnlyOfServer(before, status) || outages.take(now));
  }
}
