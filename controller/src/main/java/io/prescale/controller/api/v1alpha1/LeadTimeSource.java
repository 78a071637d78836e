package io.prescale.controller.api.v1alpha1;

/** The source of a lead time. */
public enum LeadTimeSource {
  /** Measured on recent scale-ups of the target. */
  Measured,
  /** The default, because no scale-up has been observed yet. */
  Default,
  /** Declared in the spec. */
  Declared
}
