/**
 * Queries for the demand of model servers and for the capacity of one replica. They count present
 * work, running or waiting; never a utilisation, which is the same at capacity and at twice the
 * capacity.
 */
@NullMarked
package io.prescale.controller.demand.preset;

import org.jspecify.annotations.NullMarked;
