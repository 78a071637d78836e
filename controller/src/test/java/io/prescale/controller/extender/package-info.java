/** Tests of the scheduler extender. */
@NullMarked
package io.prescale.controller.extender;

import org.jspecify.annotations.NullMarked;
