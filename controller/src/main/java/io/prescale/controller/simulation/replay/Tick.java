package io.prescale.controller.simulation.replay;

import java.time.Instant;

/**
 * One minute of one policy's replay; NaN is unknown.
 *
 * @param observed demand during the minute
 * @param served the value that the HPA read during the minute
 * @param desiredReplicas after the minute's last sync
 * @param readyReplicas after the minute's last sync
 */
public record Tick(
    Instant time,
    double observed,
    double served,
    double p50,
    double p90,
    double p95,
    double p99,
    int desiredReplicas,
    int readyReplicas) {}
