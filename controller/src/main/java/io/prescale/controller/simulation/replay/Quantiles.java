package io.prescale.controller.simulation.replay;

/**
 * Quantiles of the highest demand in the window {@code [t + cold start, t + cold start + window)}.
 */
public record Quantiles(double p50, double p90, double p95, double p99) {
  public Quantiles {
    if (Double.isNaN(p50 + p90 + p95 + p99)) {
      throw new IllegalArgumentException("quantiles %s, %s, %s, %s".formatted(p50, p90, p95, p99));
    }
  }
}
