/** Metrics about the controller itself, for Prometheus to scrape. */
@NullMarked
package io.prescale.controller.telemetry;

import org.jspecify.annotations.NullMarked;
