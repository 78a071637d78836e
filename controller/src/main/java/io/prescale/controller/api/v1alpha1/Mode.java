package io.prescale.controller.api.v1alpha1;

/** Whether anything is changed. */
public enum Mode {
  /** Forecasts and records what it would do. */
  Shadow,
  /** Keeps the HPA. */
  Active
}
