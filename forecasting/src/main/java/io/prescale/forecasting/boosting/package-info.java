/**
 * Gradient boosting of several quantiles at once: histograms over binned columns, leaf-wise trees,
 * exact quantile leaves.
 */
@NullMarked
package io.prescale.forecasting.boosting;

import org.jspecify.annotations.NullMarked;
