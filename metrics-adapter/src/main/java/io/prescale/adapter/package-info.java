/** Serves forecasts as Kubernetes external metrics. */
@NullMarked
package io.prescale.adapter;

import org.jspecify.annotations.NullMarked;
