package io.prescale.controller.operator;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.fairness.WriteTurns.Urgency;
import io.prescale.controller.operator.status.StatusNews;
import io.prescale.controller.operator.status.StatusWriter;
import io.prescale.controller.values.ValuePublisher;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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

  /** Without new values. */
  void betweenTicks(
      PredictiveHPA resource,
      PredictiveHPAStatus status,
      LiveTarget target,
      Context<PredictiveHPA> context,
      Instant now) {
    var urgency = urgency(resource, status, target, now);
    if (urgency.isEmpty()) {
      return;
    }
    if (statuses.write(resource, status, urgency.get(), context, now)) {
      target.status().written(now);
    } else {
      target.status().waits(status);
    }
  }

  /** Empty for no write. Where the values of the tick reach no replica, the status serves them. */
  private Optional<Urgency> urgency(
      PredictiveHPA resource, PredictiveHPAStatus status, LiveTarget target, Instant now) {
    var before = resource.getStatus();
    if (!values.reaches(resource)
        && status.metrics().stream().anyMatch(it -> it.served() != null)) {
      return Optional.of(Urgency.AT_ONCE);
    }
    if (StatusNews.between(before, status)) {
      return Optional.of(StatusNews.mayWait(before, status) ? Urgency.USUAL : Urgency.AT_ONCE);
    }
    var every = BETWEEN_STATUSES.multipliedBy(targets.estimatedTotal());
    return target.status().isDue(every, target.step(), now)
        ? Optional.of(Urgency.LOW)
        : Optional.empty();
  }
}
