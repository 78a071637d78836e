package io.prescale.controller.autoscaling;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether a metric's forecasts are followed, and the evidence.
 *
 * @param reason why it is open; empty unless it is
 * @param message a sentence
 * @param skill 1 − loss / the better reference's loss: 1 is perfect, 0 no better than that; the
 *     loss is the cost of shortage and idleness of what would have been served
 * @param error fading mean distance of the forecast median from what came, relative to the mean
 *     demand
 * @param coverage90 fading share of windows whose highest demand stayed within the 90 % quantile
 * @param coverage95 the same for the 95 % quantile
 * @param samples forecasts that were settled
 */
public record Trust(
    State state,
    Optional<Reason> reason,
    String message,
    OptionalDouble skill,
    OptionalDouble error,
    OptionalDouble coverage90,
    OptionalDouble coverage95,
    int samples) {

  /** As of an electrical breaker: closed is the normal state. */
  public enum State {
    /** Too few forecasts are settled; the newest value is followed. */
    LEARNING,
    /** Forecasts are followed. */
    CLOSED,
    /** Forecasts have lately done badly; the newest value or the day before is followed. */
    OPEN
  }

  /** Why a breaker is open. */
  public enum Reason {
    /** Serving the newest value would have cost less. */
    NO_BETTER_THAN_LAST_VALUE,
    /** Serving the day before's demand would have cost less. */
    NO_BETTER_THAN_SEASONAL_NAIVE,
    /** Demand exceeds the forecast quantiles too often. */
    COVERAGE_TOO_LOW,
    /** Demand hardly ever comes near the forecast median. */
    COVERAGE_TOO_HIGH
  }
}
