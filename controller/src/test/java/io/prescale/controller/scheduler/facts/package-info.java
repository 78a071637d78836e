/** Tests of what is read of nodes and pods. */
@NullMarked
package io.prescale.controller.scheduler.facts;

import org.jspecify.annotations.NullMarked;
