/** Queues and the part of the cluster's GPUs that each is owed, in thousandths of a GPU. */
@NullMarked
package io.prescale.placement.queue;

import org.jspecify.annotations.NullMarked;
