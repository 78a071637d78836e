/** Finds which running pods must leave a node so that a request fits there. */
@NullMarked
package io.prescale.placement.vacancy;

import org.jspecify.annotations.NullMarked;
