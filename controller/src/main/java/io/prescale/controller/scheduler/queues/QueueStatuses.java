package io.prescale.controller.scheduler.queues;

import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.GpuQueue;
import io.prescale.controller.api.v1alpha1.GpuQueueStatus;
import io.prescale.controller.api.v1alpha1.QueueCondition;
import io.prescale.controller.api.v1alpha1.QueueCondition.Reason;
import io.prescale.placement.ledger.QueueState;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the status of a GpuQueue should say. */
final class QueueStatuses {
  private QueueStatuses() {}

  /**
   * The status of a queue.
   *
   * @param state empty when no entry of its name is in force
   * @param notified how many of its pods have notice
   * @param fault why it is not in force as it is written
   */
  static GpuQueueStatus of(
      GpuQueue queue,
      Optional<QueueState> state,
      int notified,
      Optional<WrittenQueues.Fault> fault,
      Instant now) {
    var generation = queue.getMetadata().getGeneration();
    var status = fault.isEmpty() ? ConditionStatus.True : ConditionStatus.False;
    var condition =
        new QueueCondition(
            QueueCondition.Type.Ready,
            status,
            generation,
            lastTransition(queue, status).orElse(now.truncatedTo(ChronoUnit.SECONDS)),
            fault.map(WrittenQueues.Fault::reason).orElse(Reason.InForce),
            fault
                .map(why -> message(why, state))
                .orElse("The queue is in force as it is written."));
    return new GpuQueueStatus(
        generation,
        state.map(known -> Quota.cards(known.usedMilli())).orElse(null),
        state.map(known -> Quota.cards(known.owedMilli())).orElse(null),
        state.map(known -> Quota.cards(known.borrowedMilli())).orElse(null),
        state.map(QueueState::waiting).orElse(null),
        state.flatMap(QueueState::oldest).orElse(null),
        notified > 0 ? notified : null,
        List.of(condition));
  }

  private static String message(WrittenQueues.Fault why, Optional<QueueState> state) {
    var consequence =
        state.isPresent()
            ? "Until then the last spec that was in force applies."
            : "Until then pods of the queue are refused.";
    return "Not in force: %s. %s".formatted(why.sentence(), consequence);
  }

  private static Optional<Instant> lastTransition(GpuQueue queue, ConditionStatus status) {
    return Stream.ofNullable(queue.getStatus())
        .flatMap(known -> known.conditions().stream())
        .filter(known -> known.type() == QueueCondition.Type.Ready && known.status() == status)
        .map(QueueCondition::lastTransitionTime)
        .findFirst();
  }
}
