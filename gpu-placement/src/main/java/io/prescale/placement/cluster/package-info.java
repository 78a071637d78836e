/**
 * The engine's model: cards, nodes, an immutable snapshot of the cluster, requests and placements.
 * Compute is counted in milli-cards, memory in MiB, always in integers.
 */
@NullMarked
package io.prescale.placement.cluster;

import org.jspecify.annotations.NullMarked;
