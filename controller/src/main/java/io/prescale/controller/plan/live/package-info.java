/**
 * The plan of a running cluster: forecasts of its services, and the status that the leader writes.
 */
@NullMarked
package io.prescale.controller.plan.live;

import org.jspecify.annotations.NullMarked;
