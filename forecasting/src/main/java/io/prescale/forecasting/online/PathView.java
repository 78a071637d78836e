package io.prescale.forecasting.online;

import java.time.Duration;

/** The input of a path's forecasters: demand at both steps, and the features derived from it. */
record PathView(
    DemandHistory fine,
    DemandHistory coarse,
    PathReference reference,
    Analogs analogs,
    PathFeatures features,
    NearFeatures near) {
  private static final Duration NEAR = Duration.ofMinutes(30);

  /**
   * @param ratio number of fine steps in a coarse one
   */
  static PathView of(DemandHistory fine, DemandHistory coarse, int ratio) {
    var reference = new PathReference(coarse);
    return new PathView(
        fine,
        coarse,
        reference,
        new Analogs(coarse),
        new PathFeatures(coarse, reference),
        new NearFeatures(fine, coarse, reference, ratio));
  }

  /** How many steps the next half hour has, rounded; at least one. */
  int nearSteps() {
    return coarse.steps(NEAR);
  }
}
