package io.prescale.forecasting.online;

import org.jspecify.annotations.Nullable;

/** The forecast at a step: each member's quantiles, their combination, the calibrated result. */
final class PeakPrediction {
  final int t;
  final double[] @Nullable [] members;
  final double[] combined;
  final double spread;
  final double[] values;
  final double[] shares;
  final PeakModels models;

  PeakPrediction(
      int t,
      double[] @Nullable [] members,
      double[] combined,
      double spread,
      double[] values,
      double[] shares,
      PeakModels models) {
    this.t = t;
    this.members = members;
    this.combined = combined;
    this.spread = spread;
    this.values = values;
    this.shares = shares;
    this.models = models;
  }
}
