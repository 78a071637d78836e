package io.prescale.controller.scheduler.extender;

import io.prescale.controller.scheduler.bookings.BookingFeed;
import io.prescale.controller.scheduler.claims.ClaimPlanner;
import io.prescale.controller.scheduler.queues.ForeignQueueFeed;
import io.prescale.controller.scheduler.queues.QueueFeed;
import io.prescale.controller.scheduler.queues.QueueRows;
import io.prescale.controller.scheduler.reclaim.ReclaimExecutor;
import io.prescale.controller.scheduler.warm.WarmReport;
import io.prescale.placement.notice.ReclaimPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Watches of kinds that a cluster may lack. */
record Watches(
    Optional<QueueFeed> queues,
    Optional<ForeignQueueFeed> foreignQueues,
    Optional<BookingFeed> bookings,
    Optional<ReclaimExecutor> reclaim,
    Optional<ClaimPlanner> planner,
    Optional<CardWatch> cards)
    implements AutoCloseable {
  /**
   * Writes the statuses of queues and bookings.
   *
   * @param images what is said of those of bookings; empty where none are pulled ahead
   */
  void report(Optional<Map<String, WarmReport>> images, Instant now) {
    var notified = reclaim.map(ReclaimExecutor::notified).orElse(Map.of());
    queues.ifPresent(it -> it.report(notified, now));
    var booked = reclaim.map(ReclaimExecutor::booked).orElse(Map.of());
    bookings.ifPresent(it -> it.report(booked, images, now));
  }

  /** What cannot be read of the queues of others. */
  Map<String, String> faults() {
    return foreignQueues.map(ForeignQueueFeed::faults).orElse(Map.of());
  }

  /** The queues that give back by notice. */
  Set<String> giving() {
    return queues
        .filter(_ -> ReclaimExecutor.isEnabled())
        .map(it -> ReclaimPolicy.acting(it.policies()))
        .orElse(Set.of());
  }

  /** Queues, pods with notice, and the last steps of taking back, for the page. */
  QueueRows rows() {
    var noticed = reclaim.map(ReclaimExecutor::notices).orElse(List.of());
    var steps = reclaim.map(ReclaimExecutor::lastSteps).orElse(List.of());
    return queues.map(it -> it.rows(noticed, steps)).orElse(QueueRows.NONE);
  }

  @Override
  public void close() {
    reclaim.ifPresent(ReclaimExecutor::close);
    planner.ifPresent(ClaimPlanner::close);
    cards.ifPresent(CardWatch::close);
  }
}
