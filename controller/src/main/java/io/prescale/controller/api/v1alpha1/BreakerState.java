package io.prescale.controller.api.v1alpha1;

/** Whether a forecast is used. */
public enum BreakerState {
  /** It is. */
  Closed,
  /** It is not: it did no better than a simple one, or its quantiles are off. */
  Open,
  /** Not yet: too little is known. */
  Learning
}
