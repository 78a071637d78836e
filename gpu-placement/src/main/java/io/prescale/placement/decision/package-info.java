/** Decides where requests are placed: one at a time, and gangs as a whole. */
@NullMarked
package io.prescale.placement.decision;

import org.jspecify.annotations.NullMarked;
