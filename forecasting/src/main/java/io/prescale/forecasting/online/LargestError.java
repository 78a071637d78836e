package io.prescale.forecasting.online;

/**
 * The largest error seen lately, which fades to a half within a memory: a bound on how far from a
 * median a quantile can honestly be put, where errors in units of a spread say too much because the
 * spread has just grown from almost nothing.
 */
final class LargestError implements Learned {
  private static final double MARGIN = 2;

  private final double fading;
  private final int enough;
  private double largest;
  private int seen;

  /**
   * @param halfLife number of errors
   * @param enough before so many errors the level is a bound too
   */
  LargestError(double halfLife, int enough) {
    this.fading = Math.pow(0.5, 1 / halfLife);
    this.enough = enough;
  }

  void add(double error) {
    if (!Double.isNaN(error)) {
      largest = Math.max(Math.abs(error), fading * largest);
      seen = Math.min(enough, seen + 1);
    }
  }

  /**
   * The distance, no further from 0 than twice the largest error; while few errors were seen, the
   * level is not too far either, for what doubles demand may just not have come yet.
   */
  double bounded(double distance, double level) {
    double furthest = MARGIN * largest;
    double bound = seen < enough ? Math.max(furthest, level) : furthest;
    return Math.clamp(distance, -bound, bound);
  }

  @Override
  public double[] state() {
    return new double[] {largest, seen};
  }

  @Override
  public void restore(double[] state) {
    if (!(state[0] >= 0 && Double.isFinite(state[0])) || !(state[1] >= 0 && state[1] <= enough)) {
      throw new IllegalArgumentException("no largest error: " + state[0] + ", " + state[1]);
    }
    largest = state[0];
    seen = (int) state[1];
  }
}
