/** MIG profiles, their possible places on a card, and the best place for the next instance. */
@NullMarked
package io.prescale.placement.mig;

import org.jspecify.annotations.NullMarked;
