/** How the cards of one node are linked, and which of them to take together. */
@NullMarked
package io.prescale.placement.topology;

import org.jspecify.annotations.NullMarked;
