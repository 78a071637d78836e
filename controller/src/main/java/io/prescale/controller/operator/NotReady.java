package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.ConditionReason;

/** Why a PredictiveHPA cannot be worked on, in a sentence that names the remedy. */
public final class NotReady extends Exception {
  private static final long serialVersionUID = 1;
  private final ConditionReason reason;

  NotReady(ConditionReason reason, String message) {
    super(message, null);
    this.reason = reason;
  }

  ConditionReason reason() {
    return reason;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
