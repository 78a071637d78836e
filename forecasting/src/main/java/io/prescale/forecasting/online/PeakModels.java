package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The boosted models of a {@link PeakForecaster}, null where there are none.
 *
 * @param own those fitted to its history
 * @param leading those fitted to its history and leading series
 * @param borrowed those fitted to relatives'
 */
record PeakModels(
    @Nullable PeakModel own, @Nullable PeakModel leading, @Nullable BorrowedModel borrowed) {
  static PeakModels none() {
    return new PeakModels(null, null, null);
  }

  /**
   * These with what was fitted anew; models of its own, and of leading series, stay until there are
   * others.
   */
  PeakModels with(PeakRefit.Fitted fitted) {
    return new PeakModels(
        fitted.model().orElse(own),
        fitted.leading().orElse(leading),
        fitted.borrowed().orElse(null));
  }

  PeakModels withoutLeading() {
    return new PeakModels(own, null, borrowed);
  }

  /** Its own models as numbers; none without any. */
  int[] ownNumbers() {
    return own == null ? new int[0] : own.toNumbers();
  }

  /** How many relatives the borrowed models were fitted to. */
  int relatives() {
    return borrowed == null ? 0 : borrowed.relatives();
  }

  /** The leading series that are followed. */
  List<ForecastParts.Leading> leadingSeries(Duration step) {
    return leading == null ? List.of() : leading.leading().explained(step);
  }

  /** Writes the quantiles at step t that are known: two of each, from these places on. */
  void quantiles(
      DemandHistory history,
      int t,
      double[] @Nullable [] into,
      int ownAt,
      int leadingAt,
      int borrowedAt) {
    if (own != null) {
      write(own.quantiles(history, t), into, ownAt);
    }
    if (leading != null) {
      write(leading.quantiles(history, t), into, leadingAt);
    }
    if (borrowed != null) {
      write(borrowed.quantiles(history, t), into, borrowedAt);
    }
  }

  private static void write(Optional<double[][]> both, double[] @Nullable [] into, int at) {
    both.ifPresent(it -> System.arraycopy(it, 0, into, at, it.length));
  }
}
