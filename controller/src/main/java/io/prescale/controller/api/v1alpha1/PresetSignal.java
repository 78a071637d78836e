package io.prescale.controller.api.v1alpha1;

/** What a preset measures. */
public enum PresetSignal {
  /** Running and waiting requests. */
  Requests,
  /** The tokens per second that these requests need. */
  Tokens
}
