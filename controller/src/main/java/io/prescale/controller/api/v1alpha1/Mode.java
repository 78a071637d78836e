package io.prescale.controller.api.v1alpha1;

/** Whether Prescale scales the target. */
public enum Mode {
  /** Forecasts, scores itself and records what it would do. */
  Shadow,
  /** Also keeps an HPA that acts on the served values. */
  Active
}
