/**
 * Online forecasts: they take in one observation per step, combine and calibrate several
 * forecasters by their recent losses, and refit on a schedule and on drift.
 */
@NullMarked
package io.prescale.forecasting.online;

import org.jspecify.annotations.NullMarked;
