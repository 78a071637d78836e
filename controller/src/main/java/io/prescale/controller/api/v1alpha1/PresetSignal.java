package io.prescale.controller.api.v1alpha1;

/** What a preset measures. */
public enum PresetSignal {
  /** Requests that run and requests that wait. */
  Requests,
  /** Tokens a second that those requests would take together. */
  Tokens
}
