/** Tests of the scheduler extender. */
@NullMarked
package io.prescale.controller.scheduler.extender;

import org.jspecify.annotations.NullMarked;
