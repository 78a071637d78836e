package io.prescale.controller.simulation.replay;

/** A policy under another name, so that two of a kind can be compared. */
public record Renamed(String name, ReplayPolicy policy) implements ReplayPolicy {
  @Override
  public Served next(View view) {
    return policy.next(view);
  }

  @Override
  public double targetUtilization() {
    return policy.targetUtilization();
  }
}
