package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.QuantileForecast;
import java.util.OptionalDouble;

/**
 * How many replicas, and how much risk, recent forecasts would have led to at higher prices of a
 * shortage: fading means. Not thread-safe.
 */
final class HigherPrices {
  /** By how much a price is raised; the first is the current price. */
  private static final int[] TIMES = {1, 2, 4, 8, 16, 32, 64};

  /** One in this many forecasts is looked at. */
  static final int EVERY = 10;

  private static final int KNOWN_AFTER_SHARE = 4;

  private final double[] replicas = new double[TIMES.length];
  private final double[] risk = new double[TIMES.length];
  private final double memory;
  private double looks;
  private int forecasts;

  /**
   * Nothing is known yet; something will be after a quarter of the memory.
   *
   * @param memorySteps over which means fade
   */
  HigherPrices(double memorySteps) {
    this.memory = Math.max(KNOWN_AFTER_SHARE, memorySteps / EVERY);
  }

  /**
   * A decision is made: what would it be at higher prices?
   *
   * @param choice where starts are free, since all of these replicas would have been started
   */
  void decided(ReplicaChoice choice, QuantileForecast forecast, double floor, double price) {
    if (forecasts++ % EVERY != 0) {
      return;
    }
    looks = Math.min(looks + 1, memory);
    for (int i = 0; i < TIMES.length; i++) {
      var decision = choice.withBudget(forecast, floor, 1, TIMES[i] * price);
      replicas[i] += (decision.desiredReplicas() - replicas[i]) / looks;
      risk[i] += (decision.shortageProbability().orElse(0) - risk[i]) / looks;
    }
  }

  boolean areKnown() {
    return looks >= memory / KNOWN_AFTER_SHARE;
  }

  /**
   * By what factor replicas grow at the lowest price that cuts the risk to this part of the current
   * risk; empty if no price does, or if forecasts see no risk in shortages that happen.
   *
   * @param part of the risk that may be left, above 0
   * @param most by how much the price can be raised
   */
  OptionalDouble timesReplicas(double part, double most) {
    for (int i = 0; i < TIMES.length && TIMES[i] <= most; i++) {
      if (risk[0] > 0 && risk[i] <= part * risk[0]) {
        return OptionalDouble.of(Math.max(1, replicas[i] / replicas[0]));
      }
    }
    return OptionalDouble.empty();
  }
}
