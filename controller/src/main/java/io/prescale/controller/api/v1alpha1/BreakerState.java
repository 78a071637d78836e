package io.prescale.controller.api.v1alpha1;

/** The state of the breaker, which decides whether forecasts are followed. */
public enum BreakerState {
  /** Forecasts are followed. */
  Closed,
  /**
   * The newest value or the day before is followed: forecasts did no better than a simple
   * reference, or their coverage is off.
   */
  Open,
  /** The newest value is followed: there is too little history to judge forecasts. */
  Learning
}
