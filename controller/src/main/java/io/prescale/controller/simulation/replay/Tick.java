package io.prescale.controller.simulation.replay;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * One minute of one policy's replay.
 *
 * @param observed demand during the minute, if it was observed
 * @param served the value that the HPA read during the minute, if it could
 * @param quantiles of the forecast made at its start, if there was one
 * @param desiredReplicas after the minute's last sync
 * @param readyReplicas after the minute's last sync
 */
public record Tick(
    Instant time,
    OptionalDouble observed,
    OptionalDouble served,
    Optional<Quantiles> quantiles,
    int desiredReplicas,
    int readyReplicas) {

  /** One of the quantiles, if there was a forecast. */
  public OptionalDouble quantile(ToDoubleFunction<Quantiles> level) {
    return quantiles.stream().mapToDouble(level).findFirst();
  }
}
