package io.prescale.controller.api.v1alpha1;

/** The state of the breaker, which decides whether forecasts are followed. */
public enum BreakerState {
  /** Forecasts are followed. */
  Closed,
  /**
   * The newest value is served: forecasts did no better than a simple reference, or their coverage
   * is off.
   */
  Open,
  /** The newest value is served: there is too little history to judge forecasts. */
  Learning
}
