/** Ranks the places that fit a request, by one preference after another. */
@NullMarked
package io.prescale.placement.preference;

import org.jspecify.annotations.NullMarked;
