/** Clusters, pods and queues in CSV files, for {@code prescale place}. */
@NullMarked
package io.prescale.controller.place;

import org.jspecify.annotations.NullMarked;
