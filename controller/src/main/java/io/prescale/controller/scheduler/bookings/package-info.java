/** GpuBookings: read, kept for the ledger, and reported in their statuses and metrics. */
@NullMarked
package io.prescale.controller.scheduler.bookings;

import org.jspecify.annotations.NullMarked;
