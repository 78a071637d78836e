/**
 * Forecasts that live: they take in one observation a step, combine and calibrate several
 * forecasters by how these have done lately, and refit on a schedule and on drift.
 */
@NullMarked
package io.prescale.forecasting.online;

import org.jspecify.annotations.NullMarked;
