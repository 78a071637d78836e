package io.prescale.forecasting.online;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The forecast at a step: each member's quantiles, their combination, the calibrated result. */
final class PeakPrediction {
  final int t;
  final double[] @Nullable [] members;
  final double[] combined;
  final double spread;
  final double[] values;
  final double[] shares;
  final int relatives;
  final List<ForecastParts.Leading> leading;

  PeakPrediction(
      int t,
      double[] @Nullable [] members,
      double[] combined,
      double spread,
      double[] values,
      double[] shares,
      int relatives,
      List<ForecastParts.Leading> leading) {
    this.t = t;
    this.members = members;
    this.combined = combined;
    this.spread = spread;
    this.values = values;
    this.shares = shares;
    this.relatives = relatives;
    this.leading = leading;
  }
}
