/**
 * Reads the history of a load from Prometheus, or another server with its HTTP API: Thanos, Mimir,
 * Cortex or VictoriaMetrics. Every failure is reported as a sentence for the user, without secrets.
 */
@NullMarked
package io.prescale.controller.demand.prometheus;

import org.jspecify.annotations.NullMarked;
