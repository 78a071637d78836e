package io.prescale.forecasting.online;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The forecast at a step: each member's quantiles, their combination, the calibrated result. */
final class PeakPrediction {
  final int t;
  final double[] @Nullable [] members;
  final double[] combined;
  final PeakCalibration.Calibrated calibrated;
  final double[] shares;
  final int relatives;
  final List<ForecastParts.Leading> leading;

  PeakPrediction(
      int t,
      double[] @Nullable [] members,
      double[] combined,
      PeakCalibration.Calibrated calibrated,
      double[] shares,
      int relatives,
      List<ForecastParts.Leading> leading) {
    this.t = t;
    this.members = members;
    this.combined = combined;
    this.calibrated = calibrated;
    this.shares = shares;
    this.relatives = relatives;
    this.leading = leading;
  }
}
