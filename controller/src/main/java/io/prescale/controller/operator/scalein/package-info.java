/** Which pods a scale-in removes first: deletion costs by the work that pods have in flight. */
@NullMarked
package io.prescale.controller.operator.scalein;

import org.jspecify.annotations.NullMarked;
