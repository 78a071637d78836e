/** Who is owed how much of the cluster's GPUs, in thousandths of a GPU. */
@NullMarked
package io.prescale.placement.queue;

import org.jspecify.annotations.NullMarked;
