/** Decides which GPU a request goes to: a pure function of a cluster snapshot. */
@NullMarked
package io.prescale.placement;

import org.jspecify.annotations.NullMarked;
