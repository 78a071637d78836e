/**
 * Queries for the demand of model servers, and what one replica of them carries. They count work
 * that is present, running or waiting; never a utilisation, which looks the same at the capacity
 * and at twice the capacity.
 */
@NullMarked
package io.prescale.controller.demand.preset;

import org.jspecify.annotations.NullMarked;
