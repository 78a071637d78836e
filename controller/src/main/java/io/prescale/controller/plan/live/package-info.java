/**
 * The plan of a running cluster: forecasts of its services, the status that the leader writes, and
 * what is booked for them.
 */
@NullMarked
package io.prescale.controller.plan.live;

import org.jspecify.annotations.NullMarked;
