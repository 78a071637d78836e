/** Pulling images ahead to the nodes of bookings, and measuring what that saves. */
@NullMarked
package io.prescale.controller.scheduler.warm;

import org.jspecify.annotations.NullMarked;
