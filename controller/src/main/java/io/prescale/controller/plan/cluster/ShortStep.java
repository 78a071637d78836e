package io.prescale.controller.plan.cluster;

import java.time.Instant;

/**
 * A step in which a group needs more than fits.
 *
 * @param probability that it needs more than fits
 */
record ShortStep(Instant time, int need, PlannedHour.Fit fit, double probability) {
  int missing() {
    return need - fit.fits();
  }
}
