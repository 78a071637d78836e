/** What a card can be cut into, where its pieces may lie, and which piece to cut next. */
@NullMarked
package io.prescale.placement.mig;

import org.jspecify.annotations.NullMarked;
