/**
 * Which replica works on which PredictiveHPAs, when the work is shared: a Lease for each shard,
 * heartbeats of the replicas, and an even share of the shards for each.
 */
@NullMarked
package io.prescale.controller.sharding;

import org.jspecify.annotations.NullMarked;
