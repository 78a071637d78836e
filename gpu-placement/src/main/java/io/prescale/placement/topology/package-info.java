/** The links between the cards of one node, and the choice of cards to take together. */
@NullMarked
package io.prescale.placement.topology;

import org.jspecify.annotations.NullMarked;
