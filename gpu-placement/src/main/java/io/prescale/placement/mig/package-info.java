/**
 * MIG profiles, their possible places on a card, and the choice of a place for the next instance.
 */
@NullMarked
package io.prescale.placement.mig;

import org.jspecify.annotations.NullMarked;
