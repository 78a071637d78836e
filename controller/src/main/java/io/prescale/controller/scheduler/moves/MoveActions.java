package io.prescale.controller.scheduler.moves;

import io.prescale.controller.scheduler.evictions.Attempts;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.controller.scheduler.evictions.ProtectedPods;
import io.prescale.controller.scheduler.evictions.WithinTheHour;
import io.prescale.placement.moves.MoveNotice;
import io.prescale.placement.moves.MoveStep;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out steps, one write each; what fails is tried again later. Not thread-safe. */
final class MoveActions {
  private static final Logger LOG = LoggerFactory.getLogger(MoveActions.class);

  private final PodWriter writer;
  private final MoveReports reports;
  private final MoveMetrics metrics;
  private final Function<String, Optional<MovablePod>> pods;
  private final Attempts attempts = new Attempts("a move");
  private final ProtectedPods refusals = new ProtectedPods();
  private final WithinTheHour begun = new WithinTheHour();

  MoveActions(
      PodWriter writer,
      MoveReports reports,
      MoveMetrics metrics,
      Function<String, Optional<MovablePod>> pods) {
    this.writer = writer;
    this.reports = reports;
    this.metrics = metrics;
    this.pods = pods;
  }

  /** UIDs of the pods whose eviction has been refused for long. */
  Set<String> refused(Instant now) {
    return refusals.lasting(now);
  }

  /** How many pods were evicted within the hour. */
  int begun(Instant now) {
    return begun.count(now);
  }

  /**
   * Carries out the steps of a round.
   *
   * @param isAnswering whether this replica still decides; asked before each eviction
   */
  void carryOut(List<MoveStep> steps, BooleanSupplier isAnswering, Instant now) {
    attempts.retries().forget(now);
    for (var step : steps) {
      attempts.attempt(key(step), now, () -> carryOut(step, isAnswering, now));
    }
    reports.advise(
        steps.stream()
            .filter(MoveStep.Advise.class::isInstance)
            .map(MoveStep.Advise.class::cast)
            .toList(),
        now);
  }

  /** Names what a step is about; the time of a notice is another in each round. */
  private static String key(MoveStep step) {
    return switch (step) {
      case MoveStep.Notify(var uid, _) -> "notify " + uid;
      case MoveStep.Withdraw(var uid, _) -> "withdraw " + uid;
      case MoveStep.Evict(var uid, _) -> "evict " + uid;
      case MoveStep.Arrive(var uid, _, _) -> "arrive " + uid;
      case MoveStep.GiveUp(var move) -> "give up " + move.uid();
      case MoveStep.Advise _ -> "advise";
    };
  }

  private void carryOut(MoveStep step, BooleanSupplier isAnswering, Instant now) {
    switch (step) {
      case MoveStep.Notify(var uid, var notice) ->
          pods.apply(uid).ifPresent(pod -> notify(pod, notice, now));
      case MoveStep.Withdraw(var uid, var why) ->
          pods.apply(uid).ifPresent(pod -> withdraw(pod, why, now));
      case MoveStep.Evict(var uid, var notice) ->
          pods.apply(uid)
              .filter(_ -> isAnswering.getAsBoolean())
              .ifPresent(pod -> evict(pod, notice, now));
      case MoveStep.Arrive arrival ->
          pods.apply(arrival.uid()).ifPresent(pod -> arrive(pod, arrival, now));
      case MoveStep.GiveUp(var move) -> {
        LOG.info("The replacement of a pod that moved was not bound: {}", move.kin());
        metrics.over(move.notice().reason(), MoveMetrics.Outcome.UNBOUND);
      }
      case MoveStep.Advise _ -> {
        // Only reported.
      }
    }
  }

  private void notify(MovablePod pod, MoveNotice notice, Instant now) {
    writer.annotate(pod, WrittenMove.of(Optional.of(notice)));
    if (!pod.isMarked()) {
      metrics.notified(notice.reason());
      reports.notified(pod, notice, now);
    }
  }

  private void withdraw(MovablePod pod, String why, Instant now) {
    writer.annotate(pod, WrittenMove.of(Optional.empty()));
    metrics.withdrawn();
    reports.withdrawn(pod, why, now);
  }

  /** It is tried again at growing intervals, whatever the answer was. */
  private void evict(MovablePod pod, MoveNotice notice, Instant now) {
    attempts.retries().tried("evict " + pod.uid(), now);
    var refusal = writer.evict(pod, 1);
    if (refusal.isPresent()) {
      refusals.refused(pod.uid(), now);
      reports.waits(pod, refusal.get(), now);
      return;
    }
    refusals.accepted(pod.uid());
    if (begun.add(pod.uid(), now)) {
      metrics.evicted(notice.reason());
    }
    reports.evicted(pod, notice, now);
  }

  /** If this write fails, the replacement may be moved again within the hour. */
  private void arrive(MovablePod pod, MoveStep.Arrive arrival, Instant now) {
    metrics.over(
        arrival.move().notice().reason(),
        arrival.isAsBooked() ? MoveMetrics.Outcome.AS_BOOKED : MoveMetrics.Outcome.ELSEWHERE);
    reports.arrived(pod, arrival, now);
    writer.annotate(pod, Map.of(WrittenMove.MOVED, PodWriter.written(now).toString()));
  }
}
