package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.ScaleUp;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A replica in the simulated cluster.
 *
 * @param created when the HPA's decision made it
 * @param coldStart from its place on a node until it serves
 * @param placedAt when it was bound to a node; empty while none has room
 */
record Pod(
    String name,
    Workload workload,
    Instant created,
    Duration coldStart,
    Optional<Instant> placedAt) {
  /** Images take this part of a cold start, in percent; the rest is the model. */
  private static final int PULL_PERCENT = 40;

  static Pod pending(String name, Workload workload, Instant created, Duration coldStart) {
    return new Pod(name, workload, created, coldStart, Optional.empty());
  }

  Pod placed(Instant now) {
    return new Pod(name, workload, created, coldStart, Optional.of(now));
  }

  boolean isPlaced() {
    return placedAt.isPresent();
  }

  private Optional<Instant> readyAt() {
    return placedAt.map(at -> at.plus(coldStart));
  }

  boolean isReady(Instant now) {
    return readyAt().filter(at -> !at.isAfter(now)).isPresent();
  }

  /** Its start as the API server would report it. */
  ScaleUp.PodStart start() {
    return new ScaleUp.PodStart(
        created,
        placedAt,
        placedAt.map(at -> at.plus(coldStart.multipliedBy(PULL_PERCENT).dividedBy(100))),
        readyAt());
  }
}
