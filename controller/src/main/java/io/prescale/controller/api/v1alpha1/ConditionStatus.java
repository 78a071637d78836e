package io.prescale.controller.api.v1alpha1;

/** Whether what a condition says holds. */
public enum ConditionStatus {
  True,
  False,
  Unknown
}
