/** Plans moves of running pods that make free capacity usable. */
@NullMarked
package io.prescale.placement.consolidation;

import org.jspecify.annotations.NullMarked;
