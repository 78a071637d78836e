/** Runs the engine on a workload to measure policies: arrivals beyond capacity, and churn. */
@NullMarked
package io.prescale.placement.experiment;

import org.jspecify.annotations.NullMarked;
