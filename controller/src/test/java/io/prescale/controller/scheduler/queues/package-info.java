/** Tests of what is read and written of queues. */
@NullMarked
package io.prescale.controller.scheduler.queues;

import org.jspecify.annotations.NullMarked;
