package io.prescale.forecasting.online;

/**
 * What the forecasters of a path look at: demand at the finest observed step and at the path's
 * step, and what is derived from them.
 */
record PathView(
    DemandHistory fine,
    DemandHistory coarse,
    PathReference reference,
    PathFeatures features,
    NearFeatures near) {
  /**
   * @param ratio fine steps in a coarse one
   */
  static PathView of(DemandHistory fine, DemandHistory coarse, int ratio) {
    var reference = new PathReference(coarse);
    return new PathView(
        fine,
        coarse,
        reference,
        new PathFeatures(coarse, reference),
        new NearFeatures(fine, coarse, reference, ratio));
  }
}
