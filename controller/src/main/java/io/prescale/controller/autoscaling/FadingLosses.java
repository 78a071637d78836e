package io.prescale.controller.autoscaling;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Fading means of the pinball losses of forecasts, and of what could have been served instead. Not
 * thread-safe; O(1) each.
 */
final class FadingLosses {
  private final double level;
  private final int memory;
  private int count;
  private double ours;
  private double lastValue;
  private double dayBefore;

  /**
   * No losses yet.
   *
   * @param level of the quantile
   * @param memory over how many forecasts losses fade
   */
  FadingLosses(double level, int memory) {
    this.level = level;
    this.memory = memory;
  }

  /**
   * Takes in a forecast whose window is over.
   *
   * @param truth highest demand in the window
   */
  void settle(double truth, Breaker.Forecast forecast) {
    count++;
    double n = Math.min(count, memory);
    ours += (pinball(truth, forecast.operating()) - ours) / n;
    lastValue += (pinball(truth, forecast.lastValue()) - lastValue) / n;
    if (forecast.dayBefore().isPresent()) {
      dayBefore += (pinball(truth, forecast.dayBefore().getAsDouble()) - dayBefore) / n;
    }
  }

  private double pinball(double truth, double value) {
    double error = truth - value;
    return Math.max(level * error, (level - 1) * error);
  }

  /** Forecasts that were settled. */
  int count() {
    return count;
  }

  double ours() {
    return ours;
  }

  double lastValue() {
    return lastValue;
  }

  double dayBefore() {
    return dayBefore;
  }

  double skill(double reference) {
    // A reference without loss, as of constant demand, cannot be beaten: equalling it is enough.
    return reference <= 0 ? (ours <= 0 ? 1 : 0) : 1 - ours / reference;
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeInt(count);
    out.writeDouble(ours);
    out.writeDouble(lastValue);
    out.writeDouble(dayBefore);
  }

  /**
   * Goes on from what was written.
   *
   * @throws IllegalArgumentException when no losses were
   */
  void read(DataInput in) throws IOException {
    count = Breaker.count(in);
    ours = mean(in);
    lastValue = mean(in);
    dayBefore = mean(in);
  }

  /** A mean of what is never negative. */
  static double mean(DataInput in) throws IOException {
    double mean = in.readDouble();
    if (!(mean >= 0 && Double.isFinite(mean))) {
      throw new IllegalArgumentException("a mean loss is no " + mean);
    }
    return mean;
  }
}
