/** Carrying out moves: from what is written down, a plan and the time to the next writes. */
@NullMarked
package io.prescale.placement.moves;

import org.jspecify.annotations.NullMarked;
