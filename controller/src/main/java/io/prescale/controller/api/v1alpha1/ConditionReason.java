package io.prescale.controller.api.v1alpha1;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a condition is as it is: the closed list. */
public enum ConditionReason {
  /** Decisions are being made. */
  Deciding(ConditionType.Ready),
  /** The first decision is still to come. */
  Starting(ConditionType.Ready),
  /** The spec cannot be used; the message says which field. */
  InvalidSpec(ConditionType.Ready),
  /** What scaleTargetRef names is not there. */
  TargetNotFound(ConditionType.Ready),
  /** The target has no scale subresource, or it may not be read. */
  TargetNotScalable(ConditionType.Ready),
  /** A Secret or one of its keys is missing. */
  SecretNotFound(ConditionType.Ready),
  /** Every metric was read. */
  MetricsRead(ConditionType.MetricsAvailable),
  /** A query found no series. */
  NoSeries(ConditionType.MetricsAvailable),
  /** A query found several series. */
  ManySeries(ConditionType.MetricsAvailable),
  /** A query gave NaN or infinity. */
  NotANumber(ConditionType.MetricsAvailable),
  /** A query gave a string or another type. */
  NotASeries(ConditionType.MetricsAvailable),
  /** The newest value is too old. */
  StaleSeries(ConditionType.MetricsAvailable),
  /** The server refused the query or the credentials. */
  QueryRefused(ConditionType.MetricsAvailable),
  /** The server cannot be reached or does not answer. */
  ServerUnreachable(ConditionType.MetricsAvailable),
  /** Forecasts do better than simple ones. */
  Skilled(ConditionType.ForecastTrusted),
  /** Too little is known yet. */
  Learning(ConditionType.ForecastTrusted),
  /** Forecasts do no better than simple ones. */
  NoSkill(ConditionType.ForecastTrusted),
  /** The quantiles are off. */
  CoverageOff(ConditionType.ForecastTrusted),
  /** The HPA acts on the served values. */
  Scaling(ConditionType.ScalingActive),
  /** Shadow mode changes nothing. */
  ShadowMode(ConditionType.ScalingActive),
  /** The HPA was made and has not looked yet. */
  HpaPending(ConditionType.ScalingActive),
  /** The HPA says that it cannot scale; the message is its own. */
  HpaInactive(ConditionType.ScalingActive),
  /** Another HPA scales the same target. */
  TargetConflict(ConditionType.ScalingActive),
  /** The HPA to adopt is not there, or scales another target. */
  HpaNotAdoptable(ConditionType.ScalingActive),
  /** Somebody else owns fields of the HPA. */
  HpaConflict(ConditionType.ScalingActive),
  /** The API server or another part failed; the message says how. */
  InternalError(null);

  private final @Nullable ConditionType type;

  ConditionReason(@Nullable ConditionType type) {
    this.type = type;
  }

  /** Whether a condition of this type may have the reason. */
  public boolean isOf(ConditionType other) {
    return type == null || type == other;
  }

  /** The reasons that a condition of this type may have. */
  public static List<ConditionReason> of(ConditionType type) {
    return Arrays.stream(values()).filter(reason -> reason.isOf(type)).toList();
  }
}
