/**
 * The page's view of a real cluster, from the statuses of its PredictiveHPAs, and replays of
 * recorded histories, for a cluster and for the demo.
 */
@NullMarked
package io.prescale.controller.web.live;

import org.jspecify.annotations.NullMarked;
