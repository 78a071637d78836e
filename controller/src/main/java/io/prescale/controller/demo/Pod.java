package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.ScaleUp;
import io.prescale.placement.cluster.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A replica in the simulated cluster.
 *
 * @param created when the HPA's decision made it
 * @param coldStart from its place on a node until it serves
 * @param placement its place; empty while no node has room
 * @param placedAt when it was placed
 */
record Pod(
    String name,
    Workload workload,
    Instant created,
    Duration coldStart,
    Optional<Placement> placement,
    Optional<Instant> placedAt) {
  /** Images take this part of a cold start, in percent; the rest is the model. */
  private static final int PULL_PERCENT = 40;

  static Pod pending(String name, Workload workload, Instant created, Duration coldStart) {
    return new Pod(name, workload, created, coldStart, Optional.empty(), Optional.empty());
  }

  Pod placed(Placement where, Instant now) {
    return new Pod(name, workload, created, coldStart, Optional.of(where), Optional.of(now));
  }

  Pod unplaced() {
    return pending(name, workload, created, coldStart);
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
