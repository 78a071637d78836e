package io.prescale.controller.simulation.replay;

/**
 * Decides, minute by minute, the value that the HPA reads. An instance is called once a minute, in
 * order, by one thread, and may keep state between calls.
 */
public interface ReplayPolicy {

  String name();

  /** The value to serve during the minute {@code view.minute()}. */
  Served next(View view);

  /** The HPA's target, as a share of what one ready replica can carry. */
  default double targetUtilization() {
    return 1;
  }
}
