package io.prescale.placement.notice;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A workload whose pods are made again until it is paused. */
final class SimJob {
  final String queue;
  final int pods;
  final int size;
  @Nullable Instant suspended;

  /** How many it needs if it is scaled down and not suspended; else negative. */
  int minimum = -1;

  int replicas;

  SimJob(String queue, int pods, int size) {
    this.queue = queue;
    this.pods = pods;
    this.size = size;
    replicas = pods;
  }

  boolean isElastic() {
    return minimum >= 0;
  }
}
