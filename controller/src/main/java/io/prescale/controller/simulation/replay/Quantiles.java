package io.prescale.controller.simulation.replay;

/**
 * Quantiles of the highest demand in the window {@code [t + cold start, t + cold start + window)}.
 * NaN where unknown.
 */
public record Quantiles(double p50, double p90, double p95, double p99) {

  /** No forecast at this minute. */
  public static final Quantiles UNKNOWN =
      new Quantiles(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
}
