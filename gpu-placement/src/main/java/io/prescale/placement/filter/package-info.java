/** Decides whether a request fits a node, and if not, why. */
@NullMarked
package io.prescale.placement.filter;

import org.jspecify.annotations.NullMarked;
