/** Clusters, pods and queues in CSV files, for {@code prescale place}. */
@NullMarked
package io.prescale.controller.fleet;

import org.jspecify.annotations.NullMarked;
