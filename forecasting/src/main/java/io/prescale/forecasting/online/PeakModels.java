package io.prescale.forecasting.online;

import org.jspecify.annotations.Nullable;

/**
 * The boosted models of a {@link PeakForecaster}, null where there are none.
 *
 * @param own those fitted to its history
 * @param borrowed those fitted to relatives'
 */
record PeakModels(@Nullable PeakModel own, @Nullable BorrowedModel borrowed) {
  static PeakModels none() {
    return new PeakModels(null, null);
  }

  /** These with what was fitted anew; models of its own stay until there are others. */
  PeakModels with(PeakForecaster.Refit.Fitted fitted) {
    return new PeakModels(fitted.model().orElse(own), fitted.borrowed().orElse(null));
  }

  /** Its own models as numbers; none without any. */
  int[] ownNumbers() {
    return own == null ? new int[0] : own.toNumbers();
  }

  /** How many relatives the borrowed models were fitted to. */
  int relatives() {
    return borrowed == null ? 0 : borrowed.relatives();
  }

  /** Writes the quantiles at step t that are known: two from {@code ownAt}, two from the other. */
  void quantiles(DemandHistory history, int t, double[][] into, int ownAt, int borrowedAt) {
    if (own != null) {
      own.quantiles(history, t)
          .ifPresent(both -> System.arraycopy(both, 0, into, ownAt, both.length));
    }
    if (borrowed != null) {
      borrowed
          .quantiles(history, t)
          .ifPresent(both -> System.arraycopy(both, 0, into, borrowedAt, both.length));
    }
  }
}
