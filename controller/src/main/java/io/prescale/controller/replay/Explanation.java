package io.prescale.controller.replay;

import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.forecasting.online.ForecastParts;
import java.util.Optional;

/**
 * Why a policy served what it served in a minute.
 *
 * @param reason which rule decided
 * @param shortageProbability that demand exceeds the capacity chosen, in the window that was
 *     forecast; NaN without a forecast
 * @param parts what the forecast was made of
 */
public record Explanation(
    ScalingDecision.Reason reason, double shortageProbability, Optional<ForecastParts> parts) {}
