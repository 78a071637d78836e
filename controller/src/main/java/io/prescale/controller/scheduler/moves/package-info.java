/** Moving pods: notices, evictions and the places of their replacements. */
@NullMarked
package io.prescale.controller.scheduler.moves;

import org.jspecify.annotations.NullMarked;
