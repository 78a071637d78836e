package io.prescale.controller.api.v1alpha1;

/** Why a condition is as it is: the closed list. */
public enum ConditionReason {
  /** Ready: decisions are being made. */
  Deciding,
  /** Ready: the first decision is still to come. */
  Starting,
  /** Ready: the spec cannot be used; the message says which field. */
  InvalidSpec,
  /** Ready: what scaleTargetRef names is not there. */
  TargetNotFound,
  /** Ready: the target has no scale subresource, or it may not be read. */
  TargetNotScalable,
  /** Ready: another PredictiveHPA or HPA scales the same target. */
  TargetConflict,
  /** Ready: a Secret or one of its keys is missing. */
  SecretNotFound,
  /** MetricsAvailable: every metric was read. */
  MetricsRead,
  /** MetricsAvailable: a query found no series. */
  NoSeries,
  /** MetricsAvailable: a query found several series. */
  ManySeries,
  /** MetricsAvailable: a query gave NaN or infinity. */
  NotANumber,
  /** MetricsAvailable: a query gave a string or another type. */
  NotASeries,
  /** MetricsAvailable: the newest value is too old. */
  StaleSeries,
  /** MetricsAvailable: the server refused the query or the credentials. */
  QueryRefused,
  /** MetricsAvailable: the server cannot be reached or does not answer. */
  ServerUnreachable,
  /** ForecastTrusted: forecasts do better than simple ones. */
  Skilled,
  /** ForecastTrusted: too little is known yet. */
  Learning,
  /** ForecastTrusted: forecasts do no better than simple ones. */
  NoSkill,
  /** ForecastTrusted: the quantiles are off. */
  CoverageOff,
  /** ScalingActive: the HPA acts on the served values. */
  Scaling,
  /** ScalingActive: Shadow mode changes nothing. */
  ShadowMode,
  /** ScalingActive: the HPA was made and has not looked yet. */
  HpaPending,
  /** ScalingActive: the HPA says that it cannot scale; the message is its own. */
  HpaInactive,
  /** ScalingActive: the HPA to adopt is not there, or scales another target. */
  HpaNotAdoptable,
  /** ScalingActive: somebody else owns fields of the HPA. */
  HpaConflict,
  /** Any: the API server or another part failed; the message says how. */
  InternalError
}
