package io.prescale.controller.autoscaling;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.ToDoubleFunction;

/**
 * Losses of the same forecasts over two memories: a long one, by which they are judged, and a short
 * one, which notices what has gone badly wrong. Not thread-safe.
 */
final class RecentLosses {
  private static final double FAR_WORSE = 2;

  /** Losses are compared to the mean demand: where all are tiny, none is worth a change. */
  private static final double MATTERS = 0.001;

  private static final double MATTERS_FAST = 0.03;

  private final FadingLosses slow;
  private final FadingLosses fast;

  /** No losses yet, of quantiles at this level. */
  RecentLosses(double level) {
    this.slow = new FadingLosses(level, Breaker.MEMORY);
    this.fast = new FadingLosses(level, Breaker.FAST_MEMORY);
  }

  /** Takes in a forecast whose window is over. */
  void settle(double truth, Breaker.Forecast forecast) {
    slow.settle(truth, forecast);
    fast.settle(truth, forecast);
  }

  /** Whether so many were settled that they prove something. */
  boolean areEnough() {
    return slow.count() >= Breaker.LEAST_SAMPLES;
  }

  /**
   * Whether the forecasts have lost more than a reference, or have less skill than this.
   *
   * @param usualDemand above 0, in whose shares differences matter
   */
  boolean areNoBetterThan(
      ToDoubleFunction<FadingLosses> reference, double leastSkill, double usualDemand) {
    double most = (1 - leastSkill) * reference.applyAsDouble(slow);
    double fastReference = reference.applyAsDouble(fast);
    boolean unskilled = slow.ours() > most && slow.ours() - most > MATTERS * usualDemand;
    boolean farWorse =
        fast.ours() > FAR_WORSE * fastReference
            && fast.ours() - fastReference > MATTERS_FAST * usualDemand;
    return unskilled || farWorse;
  }

  /** Whether the day before has lost less than the newest value, over both memories. */
  boolean preferDayBefore() {
    return slow.dayBefore() < slow.lastValue() && fast.dayBefore() < fast.lastValue();
  }

  double skill(ToDoubleFunction<FadingLosses> reference) {
    return slow.skill(reference.applyAsDouble(slow));
  }

  void writeTo(DataOutput out) throws IOException {
    slow.writeTo(out);
    fast.writeTo(out);
  }

  /**
   * Goes on from what was written.
   *
   * @throws IllegalArgumentException when no losses were
   */
  void read(DataInput in) throws IOException {
    slow.read(in);
    fast.read(in);
  }
}
