/** Evicting pods: their rules, the writes, and attempts that are repeated. */
@NullMarked
package io.prescale.controller.scheduler.evictions;

import org.jspecify.annotations.NullMarked;
