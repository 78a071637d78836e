/** Tests of what is read and written of bookings. */
@NullMarked
package io.prescale.controller.scheduler.bookings;

import org.jspecify.annotations.NullMarked;
