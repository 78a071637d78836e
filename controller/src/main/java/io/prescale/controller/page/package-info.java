/**
 * What the page shows of a real cluster, from the statuses of its PredictiveHPAs; and replays of
 * workloads' histories, for the cluster as for the demo.
 */
@NullMarked
package io.prescale.controller.page;

import org.jspecify.annotations.NullMarked;
