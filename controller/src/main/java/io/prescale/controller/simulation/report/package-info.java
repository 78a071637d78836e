/**
 * A replay on paper: a self-contained HTML page with charts, a JSON document, and the ticks as CSV.
 * The writers decide nothing and read no clock; what they say follows from the result alone.
 */
@NullMarked
package io.prescale.controller.simulation.report;

import org.jspecify.annotations.NullMarked;
