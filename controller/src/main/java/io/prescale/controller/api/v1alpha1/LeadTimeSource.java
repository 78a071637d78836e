package io.prescale.controller.api.v1alpha1;

/** Where a lead time comes from. */
public enum LeadTimeSource {
  /** From recent scale-ups of the target. */
  Measured,
  /** Assumed, because none was seen yet. */
  Default,
  /** From the spec. */
  Declared
}
