/** Chooses the pods that leave for others: as few as possible, or the least important. */
@NullMarked
package io.prescale.placement.reclaim;

import org.jspecify.annotations.NullMarked;
