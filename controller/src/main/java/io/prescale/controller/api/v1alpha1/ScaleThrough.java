package io.prescale.controller.api.v1alpha1;

/** Whose HPA acts on the served values in Active mode. */
public enum ScaleThrough {
  /** One that Prescale makes, or the one that spec.adopt names. */
  PrescaleHPA,
  /** One of the user's that reads the metrics, which Prescale never writes. */
  ExistingHPA,
  /** One that KEDA keeps for a ScaledObject with a trigger of Prescale's. */
  KEDA
}
