/** Finds the seasons of a series: candidates from its spectrum, each verified cycle by cycle. */
@NullMarked
package io.prescale.forecasting.seasonality;

import org.jspecify.annotations.NullMarked;
