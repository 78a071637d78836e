package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.forecasting.online.ForecastParts;
import java.util.Optional;

/**
 * Why a policy served what it served in a minute.
 *
 * @param decision of the production code
 * @param parts what the forecast was made of, if there was one
 */
public record Rationale(ScalingDecision decision, Optional<ForecastParts> parts) {}
