package io.prescale.forecasting.online;

import java.time.Instant;
import java.util.OptionalDouble;

/** What was observed, as {@link PeakForecaster#highest} and others tell it. */
@FunctionalInterface
public interface PastDemand {
  /**
   * The highest demand observed in the steps that begin in {@code [from, to)}; empty when fewer
   * than half of them are known.
   */
  OptionalDouble highest(Instant from, Instant to);
}
