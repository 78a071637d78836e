/** Tests of the objects that decide where pods go. */
@NullMarked
package io.prescale.controller.scheduler.objects;

import org.jspecify.annotations.NullMarked;
