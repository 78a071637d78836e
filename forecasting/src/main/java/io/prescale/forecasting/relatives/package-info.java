/**
 * What a service without a history may learn from those that have one: their demand, normalised.
 */
@NullMarked
package io.prescale.forecasting.relatives;

import org.jspecify.annotations.NullMarked;
