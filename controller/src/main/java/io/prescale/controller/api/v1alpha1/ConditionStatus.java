package io.prescale.controller.api.v1alpha1;

/** The status of a condition. */
public enum ConditionStatus {
  True,
  False,
  Unknown
}
