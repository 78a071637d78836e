/**
 * Reads the history of a load from Prometheus, or from anything that speaks its HTTP API: Thanos,
 * Mimir, Cortex, VictoriaMetrics. Every failure is a sentence for the user; no secret is in it.
 */
@NullMarked
package io.prescale.controller.demand.prometheus;

import org.jspecify.annotations.NullMarked;
