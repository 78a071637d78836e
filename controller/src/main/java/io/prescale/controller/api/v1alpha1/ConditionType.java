package io.prescale.controller.api.v1alpha1;

/** What is said about a PredictiveHPA. */
public enum ConditionType {
  /** The spec makes sense, the target exists, and decisions are being made. */
  Ready,
  /** The newest reading of every metric succeeded. */
  MetricsAvailable,
  /** The forecast of every metric is used. */
  ForecastTrusted,
  /** The HPA acts on the served values; false in Shadow mode. */
  ScalingActive
}
