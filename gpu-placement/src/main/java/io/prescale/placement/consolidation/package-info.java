/** Moves running work so that what is free becomes useful. */
@NullMarked
package io.prescale.placement.consolidation;

import org.jspecify.annotations.NullMarked;
