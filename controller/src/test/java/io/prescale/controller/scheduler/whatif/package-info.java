/** Tests of pods that do not exist yet. */
@NullMarked
package io.prescale.controller.scheduler.whatif;

import org.jspecify.annotations.NullMarked;
