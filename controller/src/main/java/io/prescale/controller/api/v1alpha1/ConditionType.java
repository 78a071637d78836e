package io.prescale.controller.api.v1alpha1;

/** The conditions of a PredictiveHPA. */
public enum ConditionType {
  /** The spec is valid, the target exists, and decisions are being made. */
  Ready,
  /** The newest query of every metric succeeded. */
  MetricsAvailable,
  /** The forecast of every metric is followed. */
  ForecastTrusted,
  /** The HPA acts on the served values; false in Shadow mode. */
  ScalingActive
}
