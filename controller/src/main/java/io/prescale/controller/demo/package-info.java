/**
 * The demo: the production forecasts, decisions, metrics API and placement in a cluster that is
 * simulated, under a load that is generated, in time that runs faster.
 */
@NullMarked
package io.prescale.controller.demo;

import org.jspecify.annotations.NullMarked;
