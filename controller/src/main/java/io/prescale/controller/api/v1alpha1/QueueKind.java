package io.prescale.controller.api.v1alpha1;

/** The kinds of work in a queue. */
public enum QueueKind {
  /** A guaranteed amount, and by weight what others leave. */
  Train,
  /** A fixed amount for interactive work, never more. */
  Build
}
