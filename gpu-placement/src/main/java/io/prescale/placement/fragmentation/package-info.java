/**
 * Measures how much idle GPU a workload cannot use, after Weng et al., "Beware of Fragmentation:
 * Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent", USENIX ATC 2023.
 */
@NullMarked
package io.prescale.placement.fragmentation;

import org.jspecify.annotations.NullMarked;
