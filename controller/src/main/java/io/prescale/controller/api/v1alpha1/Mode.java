package io.prescale.controller.api.v1alpha1;

/** Whether Prescale scales the target. */
public enum Mode {
  /** Forecasts, scores itself and records what it would do. */
  Shadow,
  /** Also has an HPA act on the served values; {@link ScaleThrough} says whose. */
  Active
}
