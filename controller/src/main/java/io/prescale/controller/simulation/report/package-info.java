/**
 * Reports of a replay: a self-contained HTML page with charts, a JSON document, and the ticks as
 * CSV. The writers read no clock; their output depends on the result alone.
 */
@NullMarked
package io.prescale.controller.simulation.report;

import org.jspecify.annotations.NullMarked;
