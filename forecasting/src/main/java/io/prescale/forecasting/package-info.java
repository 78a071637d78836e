/** Probabilistic forecasts of one time series: pure functions of history, no input or output. */
@NullMarked
package io.prescale.forecasting;

import org.jspecify.annotations.NullMarked;
