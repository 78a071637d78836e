/** Floors and ceilings of replicas by the clock: cron expressions in time zones, as windows. */
@NullMarked
package io.prescale.controller.schedules;

import org.jspecify.annotations.NullMarked;
