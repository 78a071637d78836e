/** Determines how much more memory may be promised on a card than it has. */
@NullMarked
package io.prescale.placement.overcommit;

import org.jspecify.annotations.NullMarked;
