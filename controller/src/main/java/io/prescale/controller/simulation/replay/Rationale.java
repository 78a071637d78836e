package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.forecasting.online.ForecastParts;
import java.util.Optional;

/**
 * Why a policy served what it served in a minute.
 *
 * @param decision of the production code
 * @param isTrusted whether forecasts were trusted
 * @param parts what the forecast was made of, if there was one
 */
public record Rationale(
    ScalingDecision decision, boolean isTrusted, Optional<ForecastParts> parts) {
  /** Whether there was a forecast, and something else was followed. */
  boolean isUntrusted() {
    return !isTrusted && parts.isPresent();
  }
}
