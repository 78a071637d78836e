package io.prescale.controller.autoscaling;

import java.time.Instant;
import java.util.Map;

/** What a tick of the control loop asks of its {@link ScalingCycle}, in one call. */
public final class Ticks {
  private Ticks() {}

  /** A tick of a target whose only metric is named requests. */
  public static CycleResult tick(
      ScalingCycle cycle, Instant now, Reading requests, ReplicaState state) {
    return tick(cycle, now, Map.of("requests", requests), state);
  }

  static CycleResult tick(
      ScalingCycle cycle, Instant now, Map<String, Reading> readings, ReplicaState state) {
    return cycle.decide(now, cycle.forecast(cycle.observe(now, readings, state)), state);
  }
}
