/** Carries out what was decided about taking back: notices, evictions, suspended Jobs. */
@NullMarked
package io.prescale.controller.scheduler.reclaim;

import org.jspecify.annotations.NullMarked;
