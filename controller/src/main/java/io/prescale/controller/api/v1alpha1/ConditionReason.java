package io.prescale.controller.api.v1alpha1;

import org.jspecify.annotations.Nullable;

/** The reasons of conditions, a closed list. */
public enum ConditionReason {
  /** Decisions are being made. */
  Deciding(ConditionType.Ready),
  /** No decision has been made yet. */
  Starting(ConditionType.Ready),
  /** The spec is invalid; the message names the field. */
  InvalidSpec(ConditionType.Ready),
  /** The target named by scaleTargetRef does not exist. */
  TargetNotFound(ConditionType.Ready),
  /** The target has no scale subresource, or it may not be read. */
  TargetNotScalable(ConditionType.Ready),
  /** A Secret or one of its keys is missing. */
  SecretNotFound(ConditionType.Ready),
  /** Older PredictiveHPAs use the memory for histories and forecasters. */
  WaitingForMemory(ConditionType.Ready),
  /** The namespace has more PredictiveHPAs than an administrator allows, and older ones. */
  NamespaceLimit(ConditionType.Ready),
  /** Every metric was read. */
  MetricsRead(ConditionType.MetricsAvailable),
  /** Every metric was read, but not a series that may lead one. */
  LeadingSeriesMissing(ConditionType.MetricsAvailable),
  /** A query found no series. */
  NoSeries(ConditionType.MetricsAvailable),
  /** A query found several series. */
  ManySeries(ConditionType.MetricsAvailable),
  /** A query returned NaN, infinity or a negative number. */
  NotANumber(ConditionType.MetricsAvailable),
  /** A query returned a string or another type. */
  NotASeries(ConditionType.MetricsAvailable),
  /** The newest value is too old. */
  StaleSeries(ConditionType.MetricsAvailable),
  /** A value fell because series are gone, and is not believed for a while. */
  SeriesLost(ConditionType.MetricsAvailable),
  /** The server rejected the query or the credentials. */
  QueryRefused(ConditionType.MetricsAvailable),
  /** The server cannot be reached or does not answer. */
  ServerUnreachable(ConditionType.MetricsAvailable),
  /** Forecasts are better than the simple references, or not clearly worse. */
  Skilled(ConditionType.ForecastTrusted),
  /** There is too little history to judge forecasts. */
  Learning(ConditionType.ForecastTrusted),
  /** Forecasts are no better than the simple references. */
  NoSkill(ConditionType.ForecastTrusted),
  /** The coverage of the quantiles is off. */
  CoverageOff(ConditionType.ForecastTrusted),
  /** The HPA acts on the served values. */
  Scaling(ConditionType.ScalingActive),
  /** The same, with more replicas than the adopted HPA allows once it is given back. */
  ScalingAboveOwnMaximum(ConditionType.ScalingActive),
  /** Shadow mode changes nothing. */
  ShadowMode(ConditionType.ScalingActive),
  /** The HPA was created but has not synced yet. */
  HpaPending(ConditionType.ScalingActive),
  /** The HPA reports that it cannot scale; the message is copied from it. */
  HpaInactive(ConditionType.ScalingActive),
  /** The API server refuses an HPA with minReplicas 0. */
  ZeroNotAllowed(ConditionType.ScalingActive),
  /** The existing HPA, or that of KEDA, is missing or does not read the metrics. */
  HpaNotReading(ConditionType.ScalingActive),
  /** Another adapter serves the cluster's external metrics; the message names it. */
  MetricsServedByOthers(ConditionType.ScalingActive),
  /** Another HPA scales the same target. */
  TargetConflict(ConditionType.ScalingActive),
  /** The HPA to adopt does not exist, or scales another target. */
  HpaNotAdoptable(ConditionType.ScalingActive),
  /** Another field manager owns fields of the HPA. */
  HpaConflict(ConditionType.ScalingActive),
  /** Another tool keeps setting the replicas of the target. */
  ReplicasContested(ConditionType.ScalingActive),
  /** Nothing is decided while Ready is False. */
  NotDeciding(null),
  /** The API server or another component failed; the message says how. */
  InternalError(null);

  private final @Nullable ConditionType type;

  ConditionReason(@Nullable ConditionType type) {
    this.type = type;
  }

  /** The type of condition that may have the reason; null for any. */
  public @Nullable ConditionType type() {
    return type;
  }
}
