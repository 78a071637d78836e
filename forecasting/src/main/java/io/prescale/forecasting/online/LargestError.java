package io.prescale.forecasting.online;

/**
 * The largest recent error, with a half-life. It bounds the distance of a quantile from the median:
 * when the spread has just grown from almost nothing, errors in units of the spread are too wide.
 */
final class LargestError implements Learned {
  private static final double MARGIN = 2;

  private final double fading;
  private final int enough;
  private double largest;
  private int seen;

  /**
   * @param halfLife in errors
   * @param enough until this many errors have been seen, the level is a bound too
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
   * The distance, limited to twice the largest error; while few errors have been seen, the limit is
   * at least the level, because a doubling of demand may not have occurred yet.
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
