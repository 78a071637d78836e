/**
 * What there is and what is asked: cards, nodes, an immutable snapshot of the cluster, requests,
 * and placements as values. Compute is counted in milli-cards, memory in MiB, always in integers.
 */
@NullMarked
package io.prescale.placement.cluster;

import org.jspecify.annotations.NullMarked;
