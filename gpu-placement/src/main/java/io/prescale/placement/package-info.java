/** Decides which GPUs a request is placed on, as a pure function of a cluster snapshot. */
@NullMarked
package io.prescale.placement;

import org.jspecify.annotations.NullMarked;
